package fleets_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/iprof/internal/fleets"
)

var usual = fleets.Limits{Least: 0.01, Percent: 5}

// fleet is so many machines a side. Machines differ in all functions by a tenth, and in each by a part.
type fleet struct {
	r         *rand.Rand
	machines  int
	functions int
	noise     float64
	slower    float64 // function 7 takes so many times as long on the second half
}

// times are those of the frame and of the functions.
func (f fleet) times() [][]float64 {
	rows := make([][]float64, 1+f.functions)
	for i := range rows {
		rows[i] = make([]float64, 2*f.machines)
	}
	for m := range 2 * f.machines {
		speed := math.Exp(0.1 * f.r.NormFloat64())
		for i := 1; i < len(rows); i++ {
			rows[i][m] = speed * math.Exp(float64(i%13)/3-2+f.noise*f.r.NormFloat64())
			if i == 7 && m >= f.machines {
				rows[i][m] *= f.slower
			}
			rows[0][m] += rows[i][m]
		}
	}
	return rows
}

// Of six machines a side one function of 13 is slower by 15 %. It is found in 20 of 20 fleets, nothing else is, and
// nothing in 20 fleets without. With five a side the same.
func TestSlowFunctionOfASmallFleet(t *testing.T) {
	for machines, noise := range map[int]float64{5: 0.01, 6: 0.02} {
		for seed := range uint64(20) {
			for _, slower := range []float64{1, 1.15} {
				f := fleet{rand.New(rand.NewPCG(seed, 1)), machines, 13, noise, slower}
				for i, r := range fleets.Compare(f.times(), machines, usual) {
					differs := r.Chance <= 0.01
					want := slower > 1 && i == 7
					if differs != want {
						t.Errorf("%d machines, fleet %d, function %d, %v times as long: got %+v", machines, seed, i,
							slower, r)
					}
					if i == 7 && slower > 1 && !(r.After > 1.1*r.Before) {
						t.Errorf("%d machines, fleet %d: got %+v; want 15 %% more", machines, seed, r)
					}
				}
			}
		}
	}
}

// Of 400 fleets without a difference one in twenty has a zone with a chance of 0.05 or less, for all deals and for some
// of them.
func TestChanceIsTheRateOfErrors(t *testing.T) {
	for _, machines := range []int{5, 12} {
		wrong, none := 0, fleets.Limits{}
		for seed := range uint64(400) {
			f := fleet{rand.New(rand.NewPCG(seed, 2)), machines, 4, 0.2, 1}
			for _, r := range fleets.Compare(f.times(), machines, none) {
				if r.Chance <= 0.05 {
					wrong++
					break
				}
			}
			if machines > 5 && seed == 60 {
				break
			}
		}
		if t.Log(machines, wrong); machines == 5 && (wrong < 5 || wrong > 35) || machines > 5 && wrong > 9 {
			t.Errorf("%d machines: %d fleets differ", machines, wrong)
		}
	}
}

func TestOneSickMachineHidesNothing(t *testing.T) {
	f := fleet{rand.New(rand.NewPCG(1, 3)), 20, 3, 0.02, 1}
	rows := f.times()
	for m := range 40 {
		if m >= 20 {
			rows[2][m] *= 1.3
		}
		for i := range rows {
			if m == 3 {
				rows[i][m] *= 100
			}
		}
	}
	for i, r := range fleets.Compare(rows, 20, usual) {
		if (r.Chance <= 0.01) != (i == 2 || i == 0 && r.After > 1.05*r.Before) {
			t.Errorf("zone %d: got %+v", i, r)
		}
	}
}

// A zone that only one set has, one that has no time, and one that is below what counts.
func TestNewAndEmptyZones(t *testing.T) {
	rows := [][]float64{{0, 0, 0, 0, 0, 1, 2, 1, 2, 1}, make([]float64, 10), {0, 0, 0, 0, 0, .01, .01, .01, .01, .01}}
	got := fleets.Compare(rows, 5, usual)
	if got[0].Chance > 0.01 || got[0].Before != 0 || got[0].After != 1 || got[1].Chance != 1 || got[2].Chance != 1 {
		t.Errorf("got %+v", got)
	}
	if got := fleets.Compare(nil, 5, usual); len(got) != 0 {
		t.Errorf("without zones: got %v", got)
	}
}
