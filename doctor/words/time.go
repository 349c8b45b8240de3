package words

import (
	"strconv"
	"time"
)

// Clock tells times as they look at one moment and in one time zone.
type Clock struct {
	Now  int64          // Unix ms
	Zone *time.Location // nil is UTC
}

// lastShown is the last time worth showing, the end of the year 9999; stored
// times beyond it mean "for ever".
const lastShown = 253402300799000

// When is a time by its distance with the time itself beside it:
// "in 2h 40m (16:40)".
func (c Clock) When(ms float64) string {
	if ms > lastShown {
		return "never"
	}
	return c.Distance(ms) + " (" + c.Time(ms) + ")"
}

// Distance is how far a time (Unix ms) is from now: "in 4m", "21m ago", "now".
func (c Clock) Distance(ms float64) string {
	if ms > lastShown {
		return "never"
	}
	switch distance := int64(ms) - c.Now; {
	case distance > 0:
		return "in " + Duration(distance)
	case distance < 0:
		return Duration(-distance) + " ago"
	}
	return "now"
}

// secondsMatter is the distance below which a time is shown with its seconds.
const secondsMatter = 10 * 60_000

// Time is the time of day (Unix ms) for today, else the date too. Times in UTC
// end in Z; a screen that shows local times names their zone once.
func (c Clock) Time(ms float64) string {
	if ms > lastShown {
		return "beyond the year 9999"
	}
	at, now := c.in(int64(ms)), c.in(c.Now)
	layout := "15:04"
	if distance := int64(ms) - c.Now; at.Second() != 0 && -secondsMatter < distance && distance < secondsMatter {
		layout = "15:04:05"
	}
	if at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		layout = "2006-01-02 " + layout
	}
	if c.isUTC() {
		layout += "Z"
	}
	return at.Format(layout)
}

// Today is the date and time of now with the zone, for the head of a screen.
func (c Clock) Today() string { return c.in(c.Now).Format("2006-01-02 15:04 MST") }

func (c Clock) isUTC() bool { return c.Zone == nil || c.Zone == time.UTC }

func (c Clock) in(ms int64) time.Time {
	if c.isUTC() {
		return time.UnixMilli(ms).UTC()
	}
	return time.UnixMilli(ms).In(c.Zone)
}

// Duration is a duration in ms in its largest unit, and below ten of those in
// the next one too: "2h 40m", "12d", "30s", "5ms".
func Duration(ms int64) string {
	units := []struct {
		name string
		ms   int64
	}{{"d", 86_400_000}, {"h", 3_600_000}, {"m", 60_000}, {"s", 1000}}
	for i, unit := range units {
		if ms < unit.ms {
			continue
		}
		text := strconv.FormatInt(ms/unit.ms, 10) + unit.name
		if i+1 < len(units) && ms/unit.ms < 10 {
			if rest := ms % unit.ms / units[i+1].ms; rest > 0 {
				text += " " + strconv.FormatInt(rest, 10) + units[i+1].name
			}
		}
		return text
	}
	return strconv.FormatInt(ms, 10) + "ms"
}
