package html

import "strings"

// values are the values of a template's actions, by the name in the action, such as ".Date". A string is escaped, raw
// text is not. []values is for {{range}}, values for {{with}}.
type values map[string]any

// raw is text that is HTML, or a style or a script.
type raw string

// fill appends a template with its actions carried out: {{.Name}}, {{if .Name}}, {{range .Name}} and {{with .Name}} up
// to {{end}}, as in package html/template. A name without a value is empty. Actions may stand only in texts and in
// attributes in double quotes. Package html/template would do, but every program that can write a page would link it.
// It uses reflection on methods, which keeps the linker from leaving out unused code.
func fill(b []byte, template string, v values) []byte {
	for {
		before, rest, more := strings.Cut(template, "{{")
		if b = append(b, before...); !more {
			return b
		}
		action, after, _ := strings.Cut(rest, "}}")
		word, name, block := strings.Cut(action, " ")
		if !block {
			b, template = appendValue(b, v[action]), after
			continue
		}
		var inside string
		inside, template = cutBlock(after)
		switch of := v[name].(type) {
		case string:
			if of != "" && word == "if" {
				b = fill(b, inside, v)
			}
		case values:
			if of != nil {
				b = fill(b, inside, of)
			}
		case []values:
			for _, each := range of {
				b = fill(b, inside, each)
			}
		}
	}
}

// texts are the values of a list of texts for {{range}}, in which {{.}} is the text.
func texts(list []string) []values {
	of := make([]values, len(list))
	for i, text := range list {
		of[i] = values{".": text}
	}
	return of
}

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case raw:
		return append(b, v...)
	case string:
		return appendEscaped(b, v)
	}
	return b
}

func appendEscaped(b []byte, s string) []byte {
	for i := range len(s) {
		switch c := s[i]; c {
		case '<':
			b = append(b, "&lt;"...)
		case '>':
			b = append(b, "&gt;"...)
		case '&':
			b = append(b, "&amp;"...)
		case '"':
			b = append(b, "&#34;"...)
		case '\'':
			b = append(b, "&#39;"...)
		default:
			b = append(b, c)
		}
	}
	return b
}

// cutBlock splits a template, from behind the beginning of a block, at the block's end.
func cutBlock(template string) (inside, after string) {
	open := 1
	for at := 0; ; {
		next := strings.Index(template[at:], "{{")
		if next < 0 {
			return template, ""
		}
		begin := at + next
		action, _, _ := strings.Cut(template[begin+2:], "}}")
		at = begin + 2 + len(action) + 2
		if action == "end" {
			if open--; open == 0 {
				return template[:begin], template[at:]
			}
		} else if strings.Contains(action, " ") {
			open++
		}
	}
}
