// Package longtest leaves out the tests that take long. "make test" runs without them, "make long" with them:
//
//	func TestEveryTarget(t *testing.T) {
//		longtest.Skip(t)
//		// builds the program for every system
//	}
package longtest

import "testing"

// Skip ends the test as skipped with the flag -short. It is for tests that take more than some seconds on two
// processors; a test that has a shorter form asks [testing.Short] itself.
func Skip(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes long: make long, or go test without -short, runs it")
	}
}
