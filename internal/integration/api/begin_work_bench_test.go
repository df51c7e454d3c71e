package api_test

import (
	"testing"

	"example.com/iprof/platform"
)

// BenchmarkBeginInWork measures one zone around work that keeps the processor's units busy, as programs do. Nothing of
// the zone hides behind the reading of the clock here, as most of it does in BenchmarkBegin. Subtract form=nothing.
func BenchmarkBeginInWork(b *testing.B) {
	for _, form := range []struct {
		name string
		body func()
	}{{"nothing", worked}, {"stamps", stampedWork}, {"pair", pairedWork}, {"defer", deferredWork}} {
		b.Run("form="+form.name, func(b *testing.B) {
			form.body()
			b.ResetTimer()
			for range b.N {
				form.body()
			}
		})
	}
	b.Run("case=demoted", func(b *testing.B) { govern(b, 1e-6, deferredWork) })
	b.Run("case=demoted-pair", func(b *testing.B) { govern(b, 1e-6, pairedWork) })
	b.Run("case=muted", func(b *testing.B) { mute(b, mutedWork) })
	b.Run("case=muted-pair", func(b *testing.B) { mute(b, mutedPairWork) })
}

var mixed [4]uint64

// mix has four independent chains of operations.
//
//go:noinline
func mix() {
	a, b := mixed[0], mixed[1]
	c, d := mixed[2], mixed[3]
	for range 40 {
		a = a<<5 ^ a>>3 + 1
		b = b<<7 ^ b>>9 + 3
		c = c<<11 ^ c>>2 + 5
		d = d<<13 ^ d>>6 + 7
	}
	mixed = [4]uint64{a, b, c, d}
}

//go:noinline
func worked() { mix() }

//go:noinline
func stampedWork() {
	begin := platform.Now()
	mix()
	sink += platform.Now() - begin
}

//go:noinline
func pairedWork() {
	s := outer.Begin()
	mix()
	s.End()
}

//go:noinline
func deferredWork() {
	defer outer.Begin().End()
	mix()
}

//go:noinline
func mutedWork() {
	defer quiet.Begin().End()
	mix()
}

//go:noinline
func mutedPairWork() {
	s := quiet.Begin()
	mix()
	s.End()
}
