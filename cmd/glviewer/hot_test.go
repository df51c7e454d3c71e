package main

import (
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// sampledElsewhere is a program's source of hot lines: of all zones the same.
type sampledElsewhere struct {
	on atomic.Bool
	h  process.HotZones
}

func (s *sampledElsewhere) Sampling() bool { return s.on.Load() }

func (s *sampledElsewhere) SetSampling(on bool) error {
	s.on.Store(on)
	return nil
}

func (s *sampledElsewhere) HotZones() *process.HotZones {
	if s.on.Load() {
		return &s.h
	}
	return nil
}

// TestHotLinesFromElsewhere: the card has the program sample itself, shows its lines, and ends that with the viewer.
func TestHotLinesFromElsewhere(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured in a program built with iprof_off")
	}
	program := &sampledElsewhere{h: process.HotZones{Samples: 2400, Outside: 100}}
	lines := []process.HotLine{
		{Function: "game.(*World).Step", File: "/game/world.go", Line: 88, Text: "w.solve(dt)", Samples: 30},
		{Function: "game.(*World).Draw", File: "/game/draw.go", Line: 17, Text: "for range w.bodies {", Samples: 10}}
	functions := []process.HotFunction{{Function: "game.(*World).Step", Samples: 30},
		{Function: "game.(*World).Draw", Samples: 10}}
	for zone := range process.ZoneID(60) {
		program.h.Zones = append(program.h.Zones,
			process.HotLines{Zone: zone + 1, Samples: 40, Lines: lines, Functions: functions})
	}
	process.Default().SetHotSource(program)
	defer process.Default().SetHotSource(nil)
	at := serveSelf(t)
	u := newUser(t, "replay", 1280, 720, "-connect", at)
	u.linked(at)
	u.wait("frames 60")
	sampling := func(want bool) {
		t.Helper()
		for end := time.Now().Add(10 * time.Second); program.on.Load() != want; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the program samples: %t; want %t", !want, want)
			}
		}
	}
	u.fromMenu("with times of lines")
	u.see("source-opened", 1000)
	u.fromMenu("sample the program")
	sampling(true)
	time.Sleep(time.Second / 2) // for the picture
	u.see("connected-hot", 300)
	u.quit()
	sampling(false)
}
