package html

import (
	"encoding/binary"
	"math/bits"
)

// sha256Of returns the SHA-256 of a text (FIPS 180-4). Package crypto/sha256 would do, but every program that can write
// a page would link its self-tests, and with them much other cryptography. TestSHA256 compares the two.
func sha256Of(text string) [32]byte {
	state := sha256Start
	data := append([]byte(text), 0x80)
	for len(data)%64 != 56 {
		data = append(data, 0)
	}
	data = binary.BigEndian.AppendUint64(data, 8*uint64(len(text)))
	for ; len(data) > 0; data = data[64:] {
		sha256Block(&state, data[:64])
	}
	var sum [32]byte
	for i, v := range state {
		binary.BigEndian.PutUint32(sum[4*i:], v)
	}
	return sum
}

func sha256Block(state *[8]uint32, block []byte) {
	var w [64]uint32
	for i := range w {
		if i < 16 {
			w[i] = binary.BigEndian.Uint32(block[4*i:])
			continue
		}
		a, b := w[i-15], w[i-2]
		w[i] = w[i-16] + w[i-7] + (right(a, 7) ^ right(a, 18) ^ a>>3) + (right(b, 17) ^ right(b, 19) ^ b>>10)
	}
	a := state[0]
	b := state[1]
	c := state[2]
	d := state[3]
	e := state[4]
	f := state[5]
	g := state[6]
	h := state[7]
	for i := range w {
		one := h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + (e&f ^ ^e&g) + sha256Rounds[i] + w[i]
		two := (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + (a&b ^ a&c ^ b&c)
		h = g
		g = f
		f = e
		e = d + one
		d = c
		c = b
		b = a
		a = one + two
	}
	for i, v := range [8]uint32{a, b, c, d, e, f, g, h} {
		state[i] += v
	}
}

func right(v uint32, by int) uint32 { return bits.RotateLeft32(v, -by) }

// sha256Start has the fractions of the square roots of the first primes.
var sha256Start = [8]uint32{
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
}

// sha256Rounds has the fractions of their cube roots.
var sha256Rounds = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}
