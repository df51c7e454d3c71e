// Package framefile has the format of captures: frames as bytes and back, in sequence or in any order. Package capture
// has what programs call.
//
// An [Encoder] makes the chunks of frames; a [Writer] writes them to a file or a stream, and a [Reader] reads them.
// [Load] puts the frames of a stream into a session, a [Follower] those of one stream after another. A [File] reads the
// frames of a file in any order by the index at its end, and sums all of them on several goroutines. [Reach] lets a
// session read frames outside its history.
//
// docs/format.md describes the format byte by byte.
package framefile
