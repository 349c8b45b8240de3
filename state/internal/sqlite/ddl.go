package sqlite

import "strings"

// definition is one entry between the parentheses of a CREATE statement: its
// words, in which a nested parenthesis stands for itself.
type definition []word

// word is a name, a keyword, a literal or a sign of SQL.
type word struct {
	text    string
	quoted  bool // "a name", so no keyword
	literal bool // 'a text'
	number  bool
}

func (w word) is(keyword string) bool { return !w.quoted && strings.EqualFold(w.text, keyword) }

// top is the definition without what is in parentheses, so that a word of an
// expression is not taken for one of the definition. The parentheses stay.
func (d definition) top() definition {
	top, depth := definition{}, 0
	for _, w := range d {
		if w.is(")") {
			depth--
		}
		if depth <= 0 {
			top = append(top, w)
		}
		if w.is("(") {
			depth++
		}
	}
	return top
}

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
		return word{text: name, quoted: true}, rest
	}
	if end := numberLength(sql); end > 0 {
		return word{text: sql[:end], number: true}, sql[end:]
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
			return word{text: name.String(), quoted: true, literal: quote == "'"}, rest
		}
		name.WriteString(quote)
		sql = rest[1:]
	}
}

// numberLength is the length of the number that a statement begins with, 0 for none.
func numberLength(sql string) int {
	digit := func(i int) bool { return i < len(sql) && sql[i] >= '0' && sql[i] <= '9' }
	if !digit(0) && !(sql[0] == '.' && digit(1)) {
		return 0
	}
	end := 1
	for end < len(sql) && (partOfName(sql[end]) || sql[end] == '.' ||
		(sql[end] == '-' || sql[end] == '+') && (sql[end-1] == 'e' || sql[end-1] == 'E') && digit(end+1) && !strings.HasPrefix(strings.ToLower(sql), "0x")) {
		end++
	}
	return end
}

func partOfName(b byte) bool {
	return b == '_' || b == '$' || b >= 0x80 ||
		b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
