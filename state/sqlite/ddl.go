package sqlite

import "strings"

// definition is one entry between the parentheses of a CREATE statement: its
// words, in which a nested parenthesis stands for itself.
type definition []word

// word is a name, a keyword, a literal or a sign of SQL.
type word struct {
	text   string
	quoted bool // "a name", so no keyword
}

func (w word) is(keyword string) bool { return !w.quoted && strings.EqualFold(w.text, keyword) }

// has reports whether the keywords follow each other somewhere.
func (d definition) has(keywords ...string) bool {
	for i := range d {
		if i+len(keywords) > len(d) {
			return false
		}
		same := true
		for j, keyword := range keywords {
			same = same && d[i+j].is(keyword)
		}
		if same {
			return true
		}
	}
	return false
}

// definitions splits a CREATE TABLE or CREATE INDEX statement: what is between
// its first parentheses, and what follows them.
func definitions(sql string) (inside []definition, after definition) {
	depth, current := 0, definition{}
	for sql != "" {
		w, rest := nextWord(sql)
		sql = rest
		switch {
		case w.is("(") && depth == 0 && inside == nil:
			depth, inside = 1, []definition{}
			continue
		case w.is("("):
			depth++
		case w.is(")"):
			depth--
		}
		switch {
		case inside == nil || w.text == "" && !w.quoted:
		case depth == 1 && w.is(","), depth == 0 && w.is(")") && len(after) == 0 && current != nil:
			inside, current = append(inside, current), definition{}
			if depth == 0 {
				current = nil
			}
		case current == nil:
			after = append(after, w)
		default:
			current = append(current, w)
		}
	}
	return inside, after
}

// nextWord takes the first word off a statement. At its end, and for comments,
// the word is empty.
func nextWord(sql string) (word, string) {
	sql = strings.TrimLeft(sql, " \t\r\n\f")
	switch {
	case sql == "":
		return word{}, ""
	case strings.HasPrefix(sql, "--"):
		_, rest, _ := strings.Cut(sql, "\n")
		return word{}, rest
	case strings.HasPrefix(sql, "/*"):
		_, rest, _ := strings.Cut(sql[2:], "*/")
		return word{}, rest
	}
	switch first := sql[0]; first {
	case '"', '`', '\'':
		return quotedWord(sql[1:], string(first))
	case '[':
		name, rest, _ := strings.Cut(sql[1:], "]")
		return word{name, true}, rest
	}
	end := 0
	for end < len(sql) && partOfName(sql[end]) {
		end++
	}
	end = max(end, 1)
	return word{text: sql[:end]}, sql[end:]
}

// quotedWord reads up to the closing quote; a doubled one stands for itself.
func quotedWord(sql, quote string) (word, string) {
	var name strings.Builder
	for {
		part, rest, found := strings.Cut(sql, quote)
		name.WriteString(part)
		if !found || !strings.HasPrefix(rest, quote) {
			return word{name.String(), true}, rest
		}
		name.WriteString(quote)
		sql = rest[1:]
	}
}

func partOfName(b byte) bool {
	return b == '_' || b == '$' || b >= 0x80 ||
		b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
