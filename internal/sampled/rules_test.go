package sampled_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/process/report"
)

// part is a function of a program: the truth, in milliseconds.
type part struct {
	worked, waited float64
	computes       bool
}

// program is a run of made-up functions, without samples. Other goroutines than those with zones had the processor for
// beside, of which the profiler knows.
func program(parts []part, beside float64) *sampled.Run {
	d := &report.Dump{Zones: []gather.ZoneInfo{{Name: "(root)"}}, Merged: []report.TreeNode{{Parent: -1}}}
	cpu := beside
	for i, p := range parts {
		cpu += p.worked
		name := string(rune('a' + i))
		d.Merged = append(d.Merged, report.TreeNode{Zone: report.ZoneID(i + 1), Count: 1, Self: p.worked + p.waited})
		d.Zones = append(d.Zones, gather.ZoneInfo{Name: name, Function: "main." + name, Computes: p.computes})
	}
	d.CPU = time.Duration(cpu * float64(time.Millisecond))
	return &sampled.Run{Dump: d, Beside: time.Duration(beside * float64(time.Millisecond))}
}

// sample adds n samples to a function of the program.
func sample(r *sampled.Run, function, n int) {
	r.Sampled += n
	r.Samples = append(r.Samples, sampled.Sample{Zone: r.Dump.Zones[function+1].Function, Count: n})
}

func randomParts(r *rand.Rand, waits bool) (list []part) {
	for range 2 + r.IntN(8) {
		p := part{worked: 1000 * r.Float64() * r.Float64(), computes: r.IntN(2) == 0}
		if waits && !p.computes && r.IntN(2) == 0 {
			p.waited = 5000 * r.Float64()
		}
		list = append(list, p)
	}
	return list
}

// Whatever the samples, a function that computes has not waited, and its row has its exact time; at least what Least
// says has waited; and the first function of a program that had the processor for as long as its zones took is the one
// with the longest time.
func TestSamplesNeverContradictWhatIsKnown(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 59))
		parts := randomParts(r, seed%2 == 0)
		run := program(parts, 50*r.Float64())
		for left := int(run.Dump.CPU / (10 * time.Millisecond)); left > 0; {
			n := 1 + r.IntN(left)
			sample(run, r.IntN(len(parts)), n)
			left -= n
		}
		s, shares := run.Sum()
		for i, z := range s.Rows {
			p := parts[z.Zone-1]
			if p.computes && (z.Waited != 0 || z.Self != p.worked || shares[z.Zone] != 0) {
				t.Errorf("seed %d: %+v computes for %v ms; share that waited %v", seed, z, p.worked, shares[z.Zone])
			}
			if z.Least > p.waited+1e-6 {
				t.Errorf("seed %d: at least %v ms of %s waited; it was %v", seed, z.Least, z.Info.Name, p.waited)
			}
			if seed%2 == 1 && z.Self > s.Rows[0].Self {
				t.Errorf("seed %d: nothing has waited; row %d is %+v", seed, i, z)
			}
		}
		if seed%2 == 1 && s.Worked < 0.7*s.Busy {
			t.Errorf("seed %d: nothing has waited; %v of %v ms are called work", seed, s.Worked, s.Busy)
		}
		if t.Failed() {
			t.Fatalf("%+v %+v", parts, run.Samples)
		}
	}
}

// Where samples fall as the processor's time does, the first row is the function with the most work, but for a few runs
// in which two are alike; and samples give way where they may be by chance.
func TestSamplesFindTheFirstFunction(t *testing.T) {
	const runs = 1000
	wrong, near := 0, 0
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 60))
		parts := randomParts(r, true)
		run := program(parts, 50*r.Float64())
		for i, p := range parts {
			n := 0
			for left := 10 * r.ExpFloat64(); left < p.worked; left += 10 * r.ExpFloat64() {
				n++
			}
			sample(run, i, n)
		}
		s, _ := run.Sum()
		byWork := slices.Clone(parts)
		slices.SortFunc(byWork, func(a, b part) int { return int(1e6 * (b.worked - a.worked)) })
		if parts[s.Rows[0].Zone-1].worked < byWork[0].worked {
			wrong++
		}
		if byWork[1].worked > 0.8*byWork[0].worked {
			near++
		}
	}
	if wrong > near/2 {
		t.Errorf("the first row is wrong in %d of %d runs; in %d two functions are alike", wrong, runs, near)
	}
}

// The kernel's timers see one function of a program with ticks often, and another one never. The rows that compute show
// that; then the samples say nothing of the others.
func TestTimersThatFollowTheProgram(t *testing.T) {
	parts := []part{{worked: 250}, {worked: 200, computes: true}, {worked: 180, computes: true},
		{worked: 90}, {waited: 3000}}
	run := program(parts, 20)
	sample(run, 1, 3)
	sample(run, 2, 40)
	sample(run, 3, 25)
	s, _ := run.Sum()
	if z := s.Rows[0]; z.Info.Name != "e" || z.Waited != 3000-740 || !z.Unknown {
		t.Errorf("e had a processor for at most 740 of 3,000 ms, as the process: %+v", z)
	}
	if z := s.Rows[1]; z.Info.Name != "a" || z.Waited > 0 {
		t.Errorf("the second row is %+v; want a, which worked", z)
	}
}

// A has 100 ms less work than b by samples, which may be off by 63.
func TestSamplesThatMayBeByChanceKeepTheOrder(t *testing.T) {
	for worked, first := range map[float64]string{350: "a", 200: "b"} {
		run := program([]part{{worked: worked, waited: 600 - worked}, {worked: 450, computes: true}}, 20)
		sample(run, 0, int(worked/10))
		sample(run, 1, 45)
		if s, _ := run.Sum(); s.Rows[0].Info.Name != first || s.Busy-s.Worked != 600-worked {
			t.Errorf("a works for %v ms, b for 450, and the first row is %+v", worked, s.Rows[0])
		}
	}
}

// A function whose only wait has a zone computes, but for a muted zone, which leaves its time to the function around
// it.
func TestAMutedWaitIsInTheFunctionAroundIt(t *testing.T) {
	for _, muted := range []bool{true, false} {
		r := program([]part{{worked: 10, waited: 290, computes: true}, {worked: 280, computes: true}}, 0)
		wait := gather.ZoneInfo{Name: "wait for jobs", Function: "main.a", Idle: true}
		r.Dump.Merged = append(r.Dump.Merged, report.TreeNode{Zone: 3, Parent: 1, Count: 1000, Self: 0.5})
		r.Dump.Zones = append(r.Dump.Zones, wait)
		if muted {
			r.Muted = []gather.ZoneInfo{wait}
		}
		sample(r, 0, 1)
		sample(r, 1, 28)
		s, _ := r.Sum()
		if first := s.Rows[0].Info.Name; (first == "b") != muted {
			t.Errorf("muted %v: the first row is %s; want b only with the wait muted", muted, first)
		}
	}
}

// A surely waited for all its time, so it stands behind c, which worked. Of b only a part is known, and its place
// before c stays as the exact times have it.
func TestALargeErrorBetweenTwoRows(t *testing.T) {
	r := program([]part{{waited: 280}, {worked: 70, waited: 100}, {worked: 114, computes: true}}, 0)
	sample(r, 1, 8)
	sample(r, 2, 11)
	s, _ := r.Sum()
	var order string
	for _, z := range s.Rows {
		order += z.Info.Name
	}
	if order != "bca" && order != "cba" {
		t.Errorf("the order is %s; want a last", order)
	}
}
