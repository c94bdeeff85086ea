"""The vault: a folder of Markdown notes, and the reminders in their front matter."""
