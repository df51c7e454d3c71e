package capture_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// What a reader and its session may hold of a file that lies, as docs/format.md says: so many bytes, and so many times
// the bytes of the file. And what they may allocate in all, for that takes time.
const (
	heldBase, heldTimes           = 128 << 20, 256
	allocatedBase, allocatedTimes = 512 << 20, 1024
)

// forgedBytes is about the length of a forged file.
const forgedBytes = 128 << 10

// forged is a capture in the making, whose sums are right.
type forged []byte

func (f *forged) chunk(kind byte, payload ...[]byte) {
	all := bytes.Join(payload, nil)
	begin := len(*f)
	*f = binary.AppendUvarint(append(*f, kind), uint64(len(all)))
	*f = append(*f, all...)
	*f = binary.LittleEndian.AppendUint32(*f, crc32.Checksum((*f)[begin:], crc32.MakeTable(crc32.Castagnoli)))
}

func (f *forged) key() { f.chunk('K', []byte("\xf3\x9d capture key \x1b\xc4")) }

// lie adds a chunk that says to go on beyond the end of the file.
func (f *forged) lie() {
	f.key()
	*f = append(*f, numbers('F', 60<<20)...)
}

// frame adds a frame of 1000 ticks.
func (f *forged) frame(lanes ...[]byte) {
	const index, end = 1 << 0, 1 << 2
	f.chunk('F', numbers(index|end, 2, 2000, 0, 0, uint64(len(lanes))), slices.Concat(lanes...))
}

// fill adds chunks until the file is long enough.
func (f *forged) fill(add func(i uint64)) {
	for i := uint64(0); len(*f) < forgedBytes; i++ {
		add(i)
	}
}

// numbers is a list of them. Signed ones are twice as large.
func numbers(list ...uint64) (b []byte) {
	for _, n := range list {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

// many repeats numbers until they have about the length of a file, and returns how often.
func many(list ...uint64) (b []byte, times uint64) {
	one := numbers(list...)
	times = uint64(forgedBytes / len(one))
	return bytes.Repeat(one, int(times)), times
}

// node is a new one, the next by its number.
func node(id, zone, parent uint64) []byte { return numbers(2, 4, id, zone, parent, 0, 2) }

// lane is the first in its frame, and new. Its nodes are one for each number, and the root.
func lane(nodes uint64, of func(i uint64) []byte, extras []byte) []byte {
	b := append(numbers(0, 1, 0, 0, nodes+1), node(0, 0, 0)...)
	for i := range nodes {
		b = append(b, of(i)...)
	}
	return append(b, extras...)
}

// forgeries are files that are small for what they say to have.
var forgeries = map[string]func(f *forged){
	"a length": func(f *forged) {
		*f = append(append(*f, numbers('F', 60<<20)...), make([]byte, forgedBytes)...)
	},
	"lengths": func(f *forged) { f.fill(func(uint64) { f.lie() }) },
	"damages": func(f *forged) {
		f.fill(func(uint64) { f.key(); *f = append(*f, "F\x01damage"...) })
	},
	"counts": func(f *forged) {
		for _, kind := range []byte("IZCNMSHPOFELX") {
			for _, zeros := range [][]byte{nil, {0}, {0, 0}, {0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0, 0}} {
				f.key()
				f.chunk(kind, zeros, numbers(1<<40, 1<<40, 1<<40), make([]byte, 100))
			}
		}
	},
	"keys":   func(f *forged) { f.fill(func(uint64) { f.key() }) },
	"frames": func(f *forged) { f.fill(func(uint64) { f.frame() }) },
	"zones": func(f *forged) {
		list, _ := many(0, 0, 0, 0, 0)
		f.chunk('Z', numbers(0), list)
		f.frame()
	},
	"counters": func(f *forged) {
		list, _ := many(0, 0)
		f.chunk('C', numbers(0), list)
		f.frame()
	},
	"notes": func(f *forged) {
		list, times := many(0)
		f.chunk('N', numbers(times), list)
		f.frame()
	},
	"marks": func(f *forged) {
		list, _ := many(2, 0, 0)
		f.chunk('M', numbers(0), list)
		f.frame()
	},
	"states": func(f *forged) {
		list, _ := many(2, 1, 2, 2, 0, 0, 0, 0, 0)
		f.chunk('S', list)
		f.frame()
	},
	"histograms": func(f *forged) {
		var list []byte
		for i := range uint64(forgedBytes / 12) {
			list = append(list, numbers(1, i, 0, 1, 0, 2, 1, 1, 0)...)
		}
		f.chunk('H', list)
		f.frame()
	},
	"buckets": func(f *forged) {
		var list []byte
		for i := range uint64(forgedBytes / 7406) {
			list = append(append(list, numbers(1, i, 0, 1, 0, 2)...), bytes.Repeat([]byte{1}, 7400)...)
			list = append(list, 0)
		}
		f.chunk('H', list)
		f.frame()
	},
	"pictures": func(f *forged) {
		var file bytes.Buffer
		w := framefile.NewWriter(&file, capture.Info{})
		before := file.Len()
		black := &report.Picture{Width: 480, Height: 480, Pixels: make([]byte, 480*480*3)}
		w.TakePicture(1, black) // to a buffer, so without an error
		f.fill(func(uint64) { f.frame(); *f = append(*f, file.Bytes()[before:]...) })
	},
	"places": func(f *forged) {
		list, times := many(0, 0, 0)
		f.chunk('E', numbers(0, 1000, times), list, numbers(0))
		f.frame()
	},
	"events": func(f *forged) {
		list, _ := many(0, 0)
		f.chunk('E', numbers(0, 1000, 1, 0, 0, 0, 1, 1, 0, uint64(len(list))), list)
		f.frame(lane(0, nil, numbers(0)))
	},
	"hot lines": func(f *forged) {
		zone := slices.Concat(numbers(0, 1, 0, 64), bytes.Repeat(numbers(0, 0, 0, 0, 1), 64), numbers(64),
			bytes.Repeat(numbers(0, 1), 64))
		f.fill(func(uint64) { f.chunk('O', numbers(0, 0, 0), bytes.Repeat(zone, 64)); f.frame() })
	},
	"node": func(f *forged) { f.frame(numbers(0, 1, 0, 0, 1, 2, 4, 1<<22-1, 0, 0, 0, 2, 0)) },
	"zone": func(f *forged) { f.frame(lane(1, func(uint64) []byte { return node(1, 1<<16-1, 1) }, numbers(0))) },
	"deep": func(f *forged) {
		f.frame(lane(forgedBytes/12, func(i uint64) []byte { return node(i+1, i%60_000, i+1) }, numbers(0)))
	},
	"extras": func(f *forged) {
		extras := numbers(forgedBytes / 10)
		for i := range uint64(forgedBytes / 10) {
			extras = append(extras, numbers(i+1, 0)...)
		}
		f.frame(lane(forgedBytes/10, func(i uint64) []byte { return node(i+1, 1, 1) }, extras))
	},
	"lanes": func(f *forged) {
		var lanes [][]byte
		for i := range uint64(forgedBytes / 16) {
			lanes = append(lanes, slices.Concat(numbers(i, i+1, 0, 0, 1, i<<2|2, 4, i, 0, 0, 0, 2, 0)))
		}
		f.frame(lanes...)
	},
}

// watched is a file that notes how much memory is held while it is read.
type watched struct {
	*bytes.Reader
	most uint64
}

func (w *watched) Read(p []byte) (int, error) {
	if w.Len() > 0 { // else it has been here before, and a collection takes long
		w.most = max(w.most, heldNow())
	}
	return w.Reader.Read(p)
}

func heldNow() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Whatever a file says to have, reading and showing it takes what is in proportion to its bytes.
func TestFilesThatLieTakeLittleMemory(t *testing.T) {
	for name, forge := range forgeries {
		f := forged("\x89IPROF\r\n\x01\x05")
		f.key()
		forge(&f)
		for way, load := range loads {
			if testing.Short() && way == "newest" {
				continue
			}
			t.Run(name+"/"+way, func(t *testing.T) {
				in := &watched{Reader: bytes.NewReader(f), most: heldNow()}
				base := in.most
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				s := process.NewSession()
				s.SetHistoryLimits(process.HistoryLimits{Frames: 100_000, Bytes: 256 << 20}) // as those of Open
				c := must.Get(load(s, in))(t)
				look(s)
				runtime.ReadMemStats(&after)
				held, allocated := int(max(in.most, heldNow())-base), int(after.TotalAlloc-before.TotalAlloc)
				runtime.KeepAlive(s)
				t.Logf("%d bytes, %d frames, %d damages: held %d kB, allocated %d kB", len(f), c.Frames,
					len(c.Damages), held>>10, allocated>>10)
				if most := heldBase + heldTimes*len(f); held > most {
					t.Errorf("held: got %d MB; want at most %d MB", held>>20, most>>20)
				}
				if most := allocatedBase + allocatedTimes*len(f); allocated > most {
					t.Errorf("allocated: got %d MB; want at most %d MB", allocated>>20, most>>20)
				}
			})
		}
	}
}

// After some of them the rest of a file is read. After so many that it would be read a thousand times, the file ends.
func TestLengthsThatLie(t *testing.T) {
	for _, test := range []struct {
		lies   int
		frames uint64
	}{{10, 1}, {1000, 1}, {10_000, 0}} {
		f := forged("\x89IPROF\r\n\x01\x05")
		for range test.lies {
			f.lie()
		}
		f.key()
		f.frame()
		c, err := framefile.Load(process.NewSession(), bytes.NewReader(f))
		if err != nil || c.Frames != test.frames || len(c.Damages) == 0 {
			t.Errorf("%d lies: got %v, %+v; want %d frames, and damages", test.lies, err, c, test.frames)
		}
	}
}

// loads are the ways to read a file.
var loads = map[string]func(*process.Session, io.ReadSeeker) (*capture.Contents, error){
	"all": func(s *process.Session, in io.ReadSeeker) (*capture.Contents, error) { return framefile.Load(s, in) },
	"newest": func(s *process.Session, in io.ReadSeeker) (*capture.Contents, error) {
		c, _, err := framefile.LoadNewest(s, in, 2)
		return c, err
	},
}
