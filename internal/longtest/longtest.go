// Package longtest leaves out the tests that take long, or most of their rounds. "make test" runs without them, "make
// long" with them:
//
//	func TestEveryTarget(t *testing.T) {
//		longtest.Skip(t)
//		// builds the program for every system
//	}
package longtest

import "testing"

// Skip ends the test as skipped with the flag -short. It is for tests that take more than some seconds on two
// processors and have no shorter form.
func Skip(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes long: make long, or go test without -short, runs it")
	}
}

// Pick returns the first number, or the second with the flag -short. They say how much a test tries: its rounds, or the
// steps between its inputs.
func Pick(long, short int) int {
	if testing.Short() {
		return short
	}
	return long
}
