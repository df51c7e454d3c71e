package main

import (
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// sampledElsewhere is a program's source of hot lines: of all zones the same.
type sampledElsewhere struct {
	rate atomic.Int64
	h    report.HotZones
}

func (s *sampledElsewhere) Sampling() int { return int(s.rate.Load()) }

func (s *sampledElsewhere) SetSampling(rate int) error {
	s.rate.Store(int64(rate))
	return nil
}

func (s *sampledElsewhere) HotZones() *report.HotZones {
	if s.Sampling() > 0 {
		return &s.h
	}
	return nil
}

// TestHotLinesFromElsewhere: the card has the program sample itself, shows its lines, and ends that with the viewer.
func TestHotLinesFromElsewhere(t *testing.T) {
	longtest.Skip(t)
	if !gather.Enabled {
		t.Skip("nothing is measured in a program built with iprof_off")
	}
	program := &sampledElsewhere{h: report.HotZones{Samples: 2400, Outside: 100}}
	lines := []report.HotLine{
		{Function: "game.(*World).Step", File: "/game/world.go", Line: 88, Text: "w.solve(dt)", Samples: 30},
		{Function: "game.(*World).Draw", File: "/game/draw.go", Line: 17, Text: "for range w.bodies {", Samples: 10}}
	functions := []report.HotFunction{{Function: "game.(*World).Step", Samples: 30},
		{Function: "game.(*World).Draw", Samples: 10}}
	for zone := range report.ZoneID(60) {
		program.h.Zones = append(program.h.Zones,
			report.HotLines{Zone: zone + 1, Samples: 40, Lines: lines, Functions: functions})
	}
	process.Default().SetHotSource(program)
	defer process.Default().SetHotSource(nil)
	at := serveSelf(t)
	u := newUser(t, "replay", 1280, 720, "-connect", at)
	u.linked(at)
	u.wait("frames 60")
	sampling := func(want int) {
		t.Helper()
		for end := time.Now().Add(time.Minute); program.Sampling() != want; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("got %d samples a second; want %d", program.Sampling(), want)
			}
		}
	}
	u.fromMenu("with times of lines")
	u.wait("menu closed")
	u.see("source-opened", 1000)
	u.fromMenu("sample the program")
	u.wait("menu closed")
	sampling(100)
	u.fromMenu("samples a second")
	sampling(250)
	time.Sleep(time.Second / 2) // for the picture
	u.see("connected-hot", 300)
	u.quit()
	sampling(0)
}
