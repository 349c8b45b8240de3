package history

import "time"

// parseTime reads the times of OpenClaw's records: ISO 8601 with Z or an offset,
// with or without fractions. It returns Unix ms.
func parseTime(text []byte) (int64, bool) {
	if len(text) < len("2006-01-02T15:04:05") || text[4] != '-' || text[7] != '-' || text[10] != 'T' && text[10] != ' ' || text[13] != ':' || text[16] != ':' {
		return 0, false
	}
	year, month, day := digits(text[0:4]), digits(text[5:7]), digits(text[8:10])
	hour, minute, second := digits(text[11:13]), digits(text[14:16]), digits(text[17:19])
	if year < 0 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 60 {
		return 0, false
	}
	at := ((daysSince1970(year, month, day)*24+int64(hour))*60+int64(minute))*60_000 + int64(second)*1000
	rest := text[19:]
	if len(rest) > 0 && (rest[0] == '.' || rest[0] == ',') {
		place, i := int64(100), 1
		for ; i < len(rest) && rest[i] >= '0' && rest[i] <= '9'; i++ {
			at += int64(rest[i]-'0') * place
			place /= 10
		}
		rest = rest[i:]
	}
	offset, ok := offsetOf(rest)
	return at - offset, ok
}

// offsetOf reads a zone: Z, +hh:mm or +hhmm, in ms.
func offsetOf(zone []byte) (int64, bool) {
	if len(zone) == 1 && zone[0] == 'Z' {
		return 0, true
	}
	if len(zone) < 5 || zone[0] != '+' && zone[0] != '-' {
		return 0, false
	}
	minutes := zone[3:]
	if minutes[0] == ':' {
		minutes = minutes[1:]
	}
	if len(minutes) != 2 {
		return 0, false
	}
	h, m := digits(zone[1:3]), digits(minutes)
	if h < 0 || m < 0 || h > 23 || m > 59 {
		return 0, false
	}
	offset := int64(h*60+m) * 60_000
	if zone[0] == '-' {
		offset = -offset
	}
	return offset, true
}

func digits(text []byte) int {
	number := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			return -1
		}
		number = number*10 + int(c-'0')
	}
	return number
}

// daysSince1970 counts the days of the Gregorian calendar, with the year
// beginning in March so that the leap day is its last.
func daysSince1970(year, month, day int) int64 {
	if month <= 2 {
		year--
	}
	era := year / 400
	yearOfEra := year - era*400
	dayOfYear := (153*((month+9)%12)+2)/5 + day - 1
	dayOfEra := yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear
	return int64(era)*146097 + int64(dayOfEra) - 719468
}

// clock reads HH:MM:SS as ms of the day.
func clock(text []byte) (int64, bool) {
	if len(text) < 8 || text[2] != ':' || text[5] != ':' {
		return 0, false
	}
	h, m, s := digits(text[0:2]), digits(text[3:5]), digits(text[6:8])
	if h < 0 || h > 24 || m < 0 || m > 59 || s < 0 || s > 60 {
		return 0, false
	}
	return int64((h*60+m)*60+s) * 1000, true
}

// dayClock gives dates to the times of day of a console, which are in order:
// a jump back of more than half a day is midnight.
type dayClock struct {
	zone *time.Location
	day  time.Time // midnight of the day being read
	last int64
}

func (c *dayClock) at(ofDay int64) int64 {
	if c.last-ofDay > 12*3600_000 {
		c.day = c.day.AddDate(0, 0, 1)
	}
	c.last = ofDay
	return c.day.UnixMilli() + ofDay
}

// syslogTime reads the time of a journal or of syslog, "Nov 30 21:03:37", which
// has no year: the latest one that is not after the time before which the log ended.
func syslogTime(text []byte, before int64, zone *time.Location) (int64, bool) {
	const layout = "Jan _2 15:04:05"
	if len(text) < len(layout) {
		return 0, false
	}
	t, err := time.Parse(layout, string(text[:len(layout)]))
	if err != nil {
		return 0, false
	}
	year := time.UnixMilli(before).In(zone).Year()
	at := time.Date(year, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, zone)
	if at.UnixMilli() > before+24*3600_000 {
		at = at.AddDate(-1, 0, 0)
	}
	return at.UnixMilli(), true
}
