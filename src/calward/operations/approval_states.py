"""The states a request for approval can be in, and what each means to whoever asked."""

WORDS = {
    "pending": "The person has not decided yet.",
    "approved": "The person agreed, and it is done.",
    "denied": "The person said no. Do not ask for the same again.",
    "expired": "Nobody decided in time; nothing was changed. Ask again if it still matters.",
    "stale": "What it was about has changed meanwhile and it no longer fits; nothing was changed. Look again.",
    "renewed": "What it was about has changed meanwhile; it has to be approved anew, under the id in result.",
    "void": "Who asked may no longer do this; nothing was changed.",
}
