package main

// static void nothing(void) {}
import "C"

//go:noinline
func cgoPair() {
	C.nothing()
	work++
	C.nothing()
}
