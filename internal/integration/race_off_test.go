//go:build !race

package integration_test

// raceEnabled says that the race detector watches, which slows all down and takes memory of its own.
const raceEnabled = false
