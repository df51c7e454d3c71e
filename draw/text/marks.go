package text

import "strconv"

// mostMarks is the number of marks that a report writes in full.
const mostMarks = 8

// marks writes a line for each mark of the frame: "mark at 3.21 ms: level loaded".
func (t *table) marks() {
	for i := range t.r.Marks {
		m := &t.r.Marks[i]
		if i == mostMarks && len(t.r.Marks) > mostMarks+1 {
			t.p.put("and ", strconv.Itoa(len(t.r.Marks)-mostMarks), " more marks\n")
			return
		}
		where := "mark at "
		if m.Frame != t.r.Frame.Index {
			where = "mark in frame " + strconv.FormatUint(m.Frame, 10) + " at "
		}
		t.p.put(t.fit(where+fixed(m.At, t.resolvable(t.o.precision()))+" ms: "+shown(m.Text)), "\n")
	}
}
