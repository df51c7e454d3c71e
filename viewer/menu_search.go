package viewer

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// mostQuery is the greatest length of the words that search a menu, in bytes.
const mostQuery = 60

// menuSearch is the part of a menu that typing searches.
type menuSearch struct {
	on    bool
	all   []MenuItem
	query string
}

// search shows only the lines that have all words of the query, in any order and in upper or lower case, and the
// headings above them.
func (m *menu) search(query string) {
	m.found.query = query
	words := strings.Fields(strings.ToLower(query))
	m.items = m.items[:0]
	for i, heading := 0, -1; i < len(m.found.all); i++ {
		item := m.found.all[i]
		if item.Name == "" {
			heading = i
			continue
		}
		text := strings.ToLower(item.Text + " " + item.Name)
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			continue
		}
		if heading >= 0 {
			m.items = append(m.items, m.found.all[heading])
			heading = -1
		}
		m.items = append(m.items, item)
	}
	if len(m.items) == 0 {
		m.items = append(m.items, MenuItem{Text: "no command has these words"})
	}
	m.cursor = max(slices.IndexFunc(m.items, func(i MenuItem) bool { return i.Name != "" }), 0)
}

// typed adds a character to the query. It reports whether the open menu can be searched.
func (m *menu) typed(r rune) bool {
	if m.kind != menuItems || !m.found.on {
		return false
	}
	if utf8.ValidRune(r) && r >= ' ' && len(m.found.query) < mostQuery {
		m.search(m.found.query + string(r))
	}
	return true
}

// erased removes the last character of the query. It reports whether the open menu can be searched.
func (m *menu) erased() bool {
	if m.kind != menuItems || !m.found.on {
		return false
	}
	_, size := utf8.DecodeLastRuneInString(m.found.query)
	m.search(m.found.query[:len(m.found.query)-size])
	return true
}
