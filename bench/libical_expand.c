/* Expands series with libical and says how long one pass took.
 *
 *   libical_expand WHAT FILE FIRST BEFORE
 *
 * FILE holds VCALENDAR objects one after the other, with one VEVENT and one RRULE each. The window is in UTC, as
 * 20260101T000000Z. WHAT is "rules", to walk the rules alone, with no zone and no ends, or "series", to place the
 * occurrences in time and leave out the dates that are excepted.
 *
 * Prints "seconds occurrences libical-version" of the fastest of three passes. Loading, parsing and starting up
 * are not part of the time.
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

static void count(icalcomponent *event, struct icaltime_span *span, void *data)
{
    (void)event;
    if (span->end > span->start)
        ++*(long *)data;
}

static long series(icalcomponent *event, struct icaltimetype first, struct icaltimetype before)
{
    long occurrences = 0;
    icalcomponent_foreach_recurrence(event, first, before, count, &occurrences);
    return occurrences;
}

static long rules(icalcomponent *event, struct icaltimetype first, struct icaltimetype before)
{
    long occurrences = 0;
    struct icaltimetype start = icalproperty_get_dtstart(
        icalcomponent_get_first_property(event, ICAL_DTSTART_PROPERTY));
    icalproperty *rule = icalcomponent_get_first_property(event, ICAL_RRULE_PROPERTY);
    icalrecur_iterator *iterator = icalrecur_iterator_new(icalproperty_get_rrule(rule), start);
    struct icaltimetype at = icalrecur_iterator_next(iterator);
    for (; !icaltime_is_null_time(at) && icaltime_compare(at, before) < 0; at = icalrecur_iterator_next(iterator))
        occurrences += icaltime_compare(at, first) >= 0;
    icalrecur_iterator_free(iterator);
    return occurrences;
}

int main(int number, char **arguments)
{
    char *text = number == 5 ? load(arguments[2]) : NULL;
    if (!text) {
        fprintf(stderr, "usage: libical_expand rules|series FILE FIRST BEFORE\n");
        return 2;
    }
    long (*walk)(icalcomponent *, struct icaltimetype, struct icaltimetype) =
        strcmp(arguments[1], "rules") ? series : rules;
    struct icaltimetype first = icaltime_from_string(arguments[3]), before = icaltime_from_string(arguments[4]);
    /* All calendars hang on one component, each with the zones of its own. */
    icalcomponent *all = icalcomponent_new(ICAL_XROOT_COMPONENT);
    for (char *object = text, *end; (end = strstr(object, OBJECT_END)); object = end) {
        end += sizeof OBJECT_END - 1;
        char kept = *end;
        *end = '\0';
        icalcomponent *calendar = icalparser_parse_string(object);
        *end = kept;
        if (calendar)
            icalcomponent_add_component(all, calendar);
    }
    long occurrences = 0;
    double fastest = 0;
    for (int pass = 0; pass < 3; pass++) {
        occurrences = 0;
        double start = now();
        icalcomponent *calendar = icalcomponent_get_first_component(all, ICAL_VCALENDAR_COMPONENT);
        for (; calendar; calendar = icalcomponent_get_next_component(all, ICAL_VCALENDAR_COMPONENT))
            occurrences += walk(icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT), first, before);
        double seconds = now() - start;
        if (!pass || seconds < fastest)
            fastest = seconds;
    }
    printf("%.6f %ld %s\n", fastest, occurrences, ICAL_VERSION);
    icalcomponent_free(all);
    free(text);
    return 0;
}
