package report

import "strconv"

// Remark is a program's remark on one scope: see gather.Remark. A nil Remark and the zero value are empty.
type Remark struct {
	_ [0]func() // not comparable: the code of == would be in each program

	Text   string  // the texts of Scope.Text, joined by ", "; any bytes
	Value  float64 // the last value of Scope.Value
	Valued bool    // Scope.Value was called

	full bool // no room is left for more texts
}

// mostRemark bounds a joined text, in bytes. A longer text is cut and ends in "…".
const mostRemark = 1024

// Join adds a later remark. It joins the texts, and the later value replaces the earlier one. Infinities and NaN are
// ignored.
func (m *Remark) Join(text string, value float64, valued bool) {
	if valued && value-value == 0 {
		m.Value, m.Valued = value, true
	}
	switch {
	case m.Text == "":
		m.Text = text
	case text == "" || m.full:
	case len(m.Text)+len(text) < mostRemark:
		m.Text += ", " + text
	default:
		m.Text, m.full = m.Text+"…", true
	}
}

// AppendText appends the remark as words. The function name escapes and cuts the text for the display; if name is nil,
// the text stays as it is.
//
//	chunk 12,7, value 42
func (m *Remark) AppendText(dst []byte, name func(string) string) []byte {
	if m == nil {
		return dst
	}
	text, between := m.Text, ""
	if text != "" {
		between = ", "
		if name != nil {
			text = name(text)
		}
	}
	if dst = append(dst, text...); m.Valued {
		dst = m.AppendValue(append(append(dst, between...), "value "...))
	}
	return dst
}

// AppendValue appends the value with all its digits, or nothing without a value.
func (m *Remark) AppendValue(dst []byte) []byte {
	if m == nil || !m.Valued {
		return dst
	}
	format := byte('f')
	if size := max(m.Value, -m.Value); size != 0 && (size < 1e-4 || size >= 1e15) {
		format = 'g'
	}
	return strconv.AppendFloat(dst, m.Value, format, -1, 64)
}
