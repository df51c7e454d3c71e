package quiet_test

import (
	"math/rand/v2"
	"testing"

	"example.com/iprof/internal/quiet"
)

func TestTheIndexIsLikeAMap(t *testing.T) {
	var x quiet.Index
	want := map[uintptr]int32{}
	random := rand.New(rand.NewPCG(1, 2))
	for n := range int32(20_000) {
		address := uintptr(1+random.IntN(30_000)) << 5
		if got, known := x.Find(address); known != (want[address] != 0) || got != want[address] {
			t.Fatalf("%#x: got %d, %t; want %d", address, got, known, want[address])
		}
		x.Set(address, n+1)
		want[address] = n + 1
	}
	for address, n := range want {
		if got, known := x.Find(address); !known || got != n {
			t.Fatalf("%#x: got %d, %t; want %d", address, got, known, n)
		}
	}
}

func TestCall(t *testing.T) {
	called := false
	if quiet.Call(func() { called = true }); !called {
		t.Error("not called")
	}
}
