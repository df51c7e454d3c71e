package html

import (
	"strconv"

	"example.com/iprof/process/report"
)

// mostMarks is the number of marks on a page: the newest.
const mostMarks = 500

// appendMarks appends [frame, ms into the frame, text] for each mark. It appends nothing without marks.
func appendMarks(b []byte, d *report.Dump) []byte {
	if len(d.Marks) == 0 {
		return b
	}
	newest := d.Marks[max(len(d.Marks)-mostMarks, 0):]
	return appendList(append(b, `,"marks":`...), newest, func(b []byte, m *report.FrameMark) []byte {
		b = strconv.AppendUint(append(b, '['), m.Frame, 10)
		b = appendFloat(append(b, ','), m.At)
		return append(appendText(append(b, ','), short(m.Text)), ']')
	})
}
