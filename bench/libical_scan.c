/* Reads calendar objects with libical and says how long one pass took.
 *
 *   libical_scan FILE    FILE holds VCALENDAR objects one after the other
 *
 * For each object it does what an index needs: parse, then look at UID, start, end and summary of each VEVENT.
 * Prints "seconds events libical-version". Loading the file and starting up are not part of the time.
 */
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char OBJECT_END[] = "END:VCALENDAR\r\n";

static char *load(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        return NULL;
    long size = ftell(file);
    rewind(file);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    if (text)
        text[fread(text, 1, (size_t)size, file)] = '\0';
    fclose(file);
    return text;
}

static double now(void)
{
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    return (double)moment.tv_sec + (double)moment.tv_nsec / 1e9;
}

/* Parses one object and counts its events; what is read is summed up so that no reading can be left out. */
static long scan(const char *object, unsigned long *sum)
{
    long events = 0;
    icalcomponent *calendar = icalparser_parse_string(object);
    if (!calendar)
        return 0;
    icalcomponent *event = icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT);
    for (; event; event = icalcomponent_get_next_component(calendar, ICAL_VEVENT_COMPONENT)) {
        const char *uid = icalcomponent_get_uid(event);
        const char *summary = icalcomponent_get_summary(event);
        *sum += (uid ? strlen(uid) : 0) + (summary ? strlen(summary) : 0);
        *sum += (unsigned long)icalcomponent_get_dtstart(event).hour;
        *sum += (unsigned long)icalcomponent_get_dtend(event).hour;
        events++;
    }
    icalcomponent_free(calendar);
    return events;
}

int main(int count, char **arguments)
{
    char *text = count == 2 ? load(arguments[1]) : NULL;
    if (!text) {
        fprintf(stderr, "usage: libical_scan FILE\n");
        return 2;
    }
    unsigned long sum = 0;
    long events = 0;
    double start = now();
    for (char *object = text; *object;) {
        char *end = strstr(object, OBJECT_END);
        if (!end)
            break;
        end += sizeof OBJECT_END - 1;
        char kept = *end;
        *end = '\0';
        events += scan(object, &sum);
        *end = kept;
        object = end;
    }
    printf("%.6f %ld %s\n", now() - start, events, ICAL_VERSION);
    free(text);
    return sum ? 0 : 1;
}
