package mistakes

import (
	"fmt"
	"testing"
)

// Each zone is noted once for each kind, and only the latest sentences are kept.
func TestOneNoteForEachZoneAndKind(t *testing.T) {
	var m Log
	noted := 0
	for range 3 {
		for zone := range int32(12) {
			if m.Add(MissingEnd, zone) {
				noted++
				m.Note(fmt.Sprint(zone))
			}
		}
		m.Add(MissingEnd, -1)
	}
	m.Count(ClockBack, 2)
	if m.Counted(MissingEnd) != 39 || m.Counted(ClockBack) != 2 || m.Counted(ExtraEnd) != 0 || noted != 12 {
		t.Errorf("got %d, %d, %d, %d notes; want 39, 2, 0, 12", m.Counted(MissingEnd), m.Counted(ClockBack),
			m.Counted(ExtraEnd), noted)
	}
	if got, want := fmt.Sprint(m.Notes()), "[4 5 6 7 8 9 10 11]"; got != want {
		t.Errorf("got %s; want %s", got, want)
	}
	if !m.Add(ExtraEnd, 3) {
		t.Error("another kind: got no note")
	}
	if m.Reset(); m.Counted(MissingEnd) != 0 || len(m.Notes()) != 0 || !m.Add(MissingEnd, 3) {
		t.Error("reset: something is left")
	}
}
