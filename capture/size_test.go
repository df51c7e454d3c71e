package capture_test

import (
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/timeline"
)

// sized counts the bytes of a capture and the nodes and events in it.
type sized struct {
	*framefile.Writer
	from         timeline.EventSource
	bytes        int
	nodes, scope int
	events       []gather.Event
}

func (s *sized) Write(p []byte) (int, error) { s.bytes += len(p); return len(p), nil }

func (s *sized) WriteJudged(f *gather.Frame, j *process.Judged) error {
	s.from = j.Events
	for i := range f.Lanes {
		for _, n := range f.Lanes[i].Nodes {
			if n.Self != 0 || n.Count > 0 {
				s.nodes++
			}
		}
		if s.from != nil {
			s.events = s.from.AppendEvents(s.events[:0], f.Lanes[i].ID, f.Begin, f.End-1)
			s.scope += len(s.events)
		}
	}
	return s.Writer.WriteJudged(f, j)
}

// A busy node takes at most 6 bytes a frame in the frames of random programs, and an event at most 4.
func TestBytesOfANode(t *testing.T) {
	for seed := range uint64(8) {
		s := new(sized)
		s.Writer = framefile.NewWriter(s, capture.Info{})
		p := world.NewRandom(seed)
		for range 1000 {
			must.Do(t, s.WriteJudged(p.Frame(), &process.Judged{}))
		}
		got := float64(s.bytes) / float64(s.nodes)
		t.Logf("program %d: %.2f bytes of %d nodes a frame", seed, got, s.nodes/1000)
		if got > 6 {
			t.Errorf("program %d: got %.2f bytes a node; want at most 6", seed, got)
		}
	}
	sizes := [2]*sized{}
	for i := range sizes {
		session, s := process.NewSession(), new(sized)
		s.Writer = framefile.NewWriter(s, capture.Info{})
		r := world.NewGame(1, session)
		if i == 0 {
			session.SetSources(func(c *process.Sources) { c.Events = nil })
		}
		session.AddSink(s)
		step(t, r, 300)
		sizes[i] = s
	}
	node := float64(sizes[0].bytes) / float64(sizes[0].nodes)
	event := float64(sizes[1].bytes-sizes[0].bytes) / float64(sizes[1].scope)
	t.Logf("the replay: %.2f bytes a node of %d, %.2f an event", node, sizes[0].nodes/300, event)
	if node > 10 || event > 4 { // values, memory and the frame's own numbers are shared by few nodes
		t.Errorf("the replay: got %.2f bytes a node, %.2f an event; want at most 10 and 4", node, event)
	}
}
