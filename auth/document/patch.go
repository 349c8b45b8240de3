package document

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// Patch makes the text of a JSON5 document say what a changed document
// says. Only what differs is written; comments, spelling and order of the rest
// stay as somebody wrote them. New members come last.
func Patch(path string, data []byte, after *Object) ([]byte, error) {
	value, err := Parse(path, data)
	if err != nil {
		return nil, err
	}
	structure, err := skim(data)
	before, ok := value.(*Object)
	if err != nil || !ok {
		return nil, cannotPatch(path, err)
	}
	p := patcher{data: data}
	p.object(structure, before, after)
	text := p.apply()
	// The text must say what it was to say, whatever the document is like.
	if value, err = Parse(path, text); err != nil || !sameContent(value, after) {
		return nil, cannotPatch(path, err)
	}
	return text, nil
}

func cannotPatch(path string, err error) error {
	return &SyntaxError{File: path, Line: 1, Column: 1, Message: "can't be changed without rewriting it as a whole", Err: err}
}

// patcher collects replacements in a text.
type patcher struct {
	data    []byte
	patches []patch
}

type patch struct {
	start, end int
	text       string
}

func (p *patcher) replace(start, end int, text string) {
	p.patches = append(p.patches, patch{start, end, text})
}

func (p *patcher) apply() []byte {
	slices.SortStableFunc(p.patches, func(a, b patch) int { return cmp.Or(a.start-b.start, a.end-b.end) })
	var text []byte
	at := 0
	for _, patch := range p.patches {
		text = append(append(text, p.data[at:patch.start]...), patch.text...)
		at = patch.end
	}
	return append(text, p.data[at:]...)
}

func (p *patcher) value(n *node, before, after Value) {
	if SameWritten(before, after) {
		return
	}
	oldObject, okOld := before.(*Object)
	newObject, okNew := after.(*Object)
	if okOld && okNew {
		p.object(n, oldObject, newObject)
		return
	}
	oldList, okOld := before.([]any)
	newList, okNew := after.([]any)
	if okOld && okNew && len(oldList) == len(newList) && len(n.members) == len(oldList) {
		for i, member := range n.members {
			p.value(member.value, oldList[i], newList[i])
		}
		return
	}
	p.rewrite(n, after)
}

// rewrite puts another value in the place of one: in one line if that was.
func (p *patcher) rewrite(n *node, value Value) {
	if bytes.IndexByte(p.data[n.offset:n.end], '\n') < 0 && n.kind != 0 {
		p.replace(n.offset, n.end, string(EncodeCompact(value)))
		return
	}
	p.replace(n.offset, n.end, p.encode(value, p.indentAt(n.offset)))
}

func (p *patcher) object(n *node, before, after *Object) {
	var added []string
	for key := range after.All() {
		if !before.Has(key) {
			added = append(added, key)
		}
	}
	kept := slices.DeleteFunc(slices.Clone(n.members), func(m skimmed) bool { return !after.Has(m.key) })
	if len(kept) == 0 {
		p.rewrite(n, after)
		return
	}
	for i, member := range n.members {
		if value, ok := after.Get(member.key); ok {
			old, _ := before.Get(member.key)
			p.value(member.value, old, value)
			continue
		}
		p.remove(n, i, kept[len(kept)-1])
	}
	if len(added) == 0 {
		return
	}
	last := kept[len(kept)-1]
	indent, several := p.lineIndent(kept[0].offset)
	separator := ", "
	if several {
		separator = ",\n" + indent
	}
	var text strings.Builder
	for _, key := range added {
		value, _ := after.Get(key)
		encoded := string(EncodeCompact(value))
		if several {
			encoded = p.encode(value, indent)
		}
		text.WriteString(separator + string(AppendQuoted(nil, key)) + ": " + encoded)
	}
	at, written := last.value.end, text.String()
	if end := p.noteEnd(at); several && end > at && p.commaAfter(at) < 0 { // a comment stays with what it is about
		p.replace(at, at, ",")
		at, written = end, strings.TrimPrefix(written, ",")
	}
	p.replace(at, at, written)
}

// noteEnd is the end of a comment that follows in the same line, 0 for none.
func (p *patcher) noteEnd(at int) int {
	line := p.data[at:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	if !bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("//")) {
		return 0
	}
	return at + len(bytes.TrimRight(line, "\r"))
}

// remove takes a member out, with its comma and, if that leaves the line empty,
// the line. last is the last member that stays.
func (p *patcher) remove(n *node, i int, last skimmed) {
	member := n.members[i]
	start, end := member.offset, member.value.end
	if comma := p.commaAfter(end); comma >= 0 {
		end = comma + 1
	} else if last.offset < member.offset {
		// It was the last one, and what comes last has no comma.
		if comma := p.commaAfter(last.value.end); comma >= 0 && !slices.ContainsFunc(p.patches, func(q patch) bool { return q.start == comma }) {
			p.replace(comma, comma+1, "")
		}
	}
	line := bytes.LastIndexByte(p.data[:start], '\n') + 1
	rest := bytes.IndexByte(p.data[end:], '\n')
	if rest >= 0 && len(bytes.TrimSpace(p.data[line:start])) == 0 && len(bytes.TrimSpace(p.data[end:end+rest])) == 0 {
		start, end = line, end+rest+1
	} else {
		for end < len(p.data) && (p.data[end] == ' ' || p.data[end] == '\t') {
			end++
		}
	}
	p.replace(start, end, "")
}

// commaAfter is where the comma behind a value stands, -1 where there is none.
func (p *patcher) commaAfter(at int) int {
	s := &skimmer{data: p.data, at: at}
	s.space()
	if s.at < len(p.data) && p.data[s.at] == ',' {
		return s.at
	}
	return -1
}

// lineIndent is the white space before what stands at a place, and whether that
// is the first thing of its line.
func (p *patcher) lineIndent(at int) (indent string, first bool) {
	before := p.data[bytes.LastIndexByte(p.data[:at], '\n')+1 : at]
	return string(before), len(bytes.TrimSpace(before)) == 0 && bytes.IndexByte(p.data[:at], '\n') >= 0
}

// indentAt is the indentation of the line of a place.
func (p *patcher) indentAt(at int) string {
	line := p.data[bytes.LastIndexByte(p.data[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// encode writes a value whose first line stands in a line with an indentation.
func (p *patcher) encode(value Value, indent string) string {
	e := encoder{indent: true}
	e.value(value, 0)
	return strings.ReplaceAll(string(e.text), "\n", "\n"+indent)
}

// SameWritten compares two values as they are written.
func SameWritten(a, b Value) bool { return bytes.Equal(EncodeCompact(a), EncodeCompact(b)) }

// sameContent compares two values; members may stand in another order.
func sameContent(a, b Value) bool {
	switch a := a.(type) {
	case *Object:
		other, ok := b.(*Object)
		if !ok || a.Len() != other.Len() {
			return false
		}
		for key, value := range a.All() {
			if otherValue, ok := other.Get(key); !ok || !sameContent(value, otherValue) {
				return false
			}
		}
		return true
	case []any:
		other, ok := b.([]any)
		return ok && slices.EqualFunc(a, other, sameContent)
	}
	return SameWritten(a, b)
}
