//go:build !iprof_off

package measure

import "testing"

func TestZoneID(t *testing.T) {
	looked := &Zone{Name: "looked at"}
	if id, known := looked.ID(); known {
		t.Errorf("before it was entered: got id %d; want none", id)
	}
	looked.Begin().End()
	id, known := looked.ID()
	if info := zones.info(id); !known || info.Name != "looked at" || !info.Public {
		t.Errorf("got id %d, %v, which is %+v; want the zone's", id, known, info)
	}
}

// A goroutine that only looks must not become a lane of the host's.
func TestPeekMakesNoLane(t *testing.T) {
	var f Frame
	Collect(&f)
	registry.mu.Lock()
	before := registry.lastLane
	registry.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		var f Frame
		Peek(&f)
	}()
	<-done
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if registry.lastLane != before {
		t.Errorf("Peek on a goroutine without zones made %d lanes; want none", registry.lastLane-before)
	}
}
