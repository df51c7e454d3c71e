// Leaves: a function without loops that calls only what the compiler inlines gets no zone.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Println(leaf("leaf"), branch(len(os.Args)))
}

func bit(b byte) int { return int(b & 1) }

func leaf(s string) int {
	n := len(s)
	if n < 4 {
		return bit(s[0])
	}
	a, b, c, d := bit(s[0]), bit(s[1]), bit(s[2]), bit(s[3])
	if a > b {
		a += b << 1
	} else if c > d {
		c += d<<2 ^ a
	}
	b ^= a<<3 | c>>1
	d ^= b<<5 | a>>2
	c ^= d<<7 | b>>3
	a ^= c<<4 | d>>4
	if a&b != c&d {
		return a + b + c + d + bit(byte(n))
	}
	return a - b
}

func branch(n int) int {
	a, b := n, n+1
	a++
	b++
	a ^= b
	b ^= a
	a <<= 2
	b <<= 3
	return a + b + node(n)
}

//go:noinline
func node(n int) int { return n }
