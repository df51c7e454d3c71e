package viewer_test

import (
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// snapshots counts the reports that a panel asks for.
type snapshots struct {
	*still
	built int
}

func (s *snapshots) Snapshot(dst *process.Snapshot, o process.SnapshotOptions) {
	s.built++
	s.still.Snapshot(dst, o)
}

// The report was built anew for each picture, whether anything had changed or not.
func TestAReportIsBuiltOncePerChange(t *testing.T) {
	s := &snapshots{still: &still{demo: newDemo()}}
	s.paused, s.view.Age = true, 93
	p := viewer.PanelOf(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	settled(t, p, 1280, 720, 1)
	settled(t, p, 1280, 720, 1) // the second picture is kept
	built := s.built
	for range 100 {
		var l draw.List
		p.Draw(&l, 1280, 720, 1)
	}
	if s.built != built {
		t.Errorf("100 pictures of the same data: got %d reports; want none", s.built-built)
	}
	s.generation++
	settled(t, p, 1280, 720, 1)
	if s.built == built {
		t.Error("after a change: got no report; want one")
	}
}
