package process_test

import (
	"testing"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// BenchmarkVerdict makes a frame, takes it in and asks for the verdicts that a face shows each time. What it costs
// without asking is frames=none.
func BenchmarkVerdict(b *testing.B) {
	for name, every := range map[string]int{"frames=ordinary": 0, "frames=hitch each 20": 20, "frames=hitch each": 1} {
		b.Run(name, func(b *testing.B) { benchmarkVerdict(b, every) })
	}
	b.Run("frames=none", func(b *testing.B) { benchmarkVerdict(b, -1) })
}

// benchmarkVerdict plants a fault in every so many frames; below 0 no verdict is read.
func benchmarkVerdict(b *testing.B, every int) {
	s, p := process.NewSession(), world.NewRandom(3)
	p.Prepare()
	var v report.Verdict
	at := 0
	step := func() {
		if at++; every > 0 && at%every == 0 {
			p.Plant(world.Outside)
		}
		s.WriteFrame(p.Frame())
		if every >= 0 {
			s.VerdictOf(&v, 0)
			s.View().Verdict(&v)
		}
	}
	for range 400 {
		step()
	}
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
}

func TestVerdictAllocatesNothing(t *testing.T) {
	s, p := process.NewSession(), world.NewRandom(3)
	p.Prepare()
	var v report.Verdict
	for i := range 400 {
		if i%7 == 0 {
			p.Plant(world.Outside)
		}
		write(t, s, p.Frame())
		s.VerdictOf(&v, 0)
		s.View().Verdict(&v)
	}
	age, found := 0, 0
	if n := allocstest.PerRun(200, func() {
		age = (age + 1) % 200
		s.SetFrameBudget(16 + 1e6) // a change, so that nothing is answered from memory
		if s.VerdictOf(&v, age) {
			found++
		}
		s.View().Verdict(&v)
	}); n != 0 {
		t.Errorf("got %v allocations; want 0", n)
	}
	if found == 0 {
		t.Error("no frame had a verdict")
	}
}
