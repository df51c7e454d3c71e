package capture_test

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// pictured is a picture that depends on the frame.
func pictured(index uint64, width, height int) *report.Picture {
	p := &report.Picture{Width: width, Height: height, Pixels: make([]byte, 3*width*height)}
	for i := range p.Pixels {
		p.Pixels[i] = byte(uint64(i)*index*7 + uint64(i>>5))
	}
	return p
}

// hitches makes frames, of which each tenth is over budget and has its picture two frames later.
func hitches(t *testing.T, s *process.Session, from, to uint64) {
	t.Helper()
	f := gather.Frame{TicksPerSecond: 1e3, Zones: []gather.ZoneInfo{{Name: "(root)"}}, End: platform.Ticks(1000 * from)}
	for i := from; i < to; i++ {
		f.Index, f.Begin = i, f.End
		if f.End += 10; i%10 == 9 {
			f.End += 30 + platform.Ticks(i)
		}
		f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, Begin: f.Begin, End: f.End,
			Nodes: []gather.Node{{Parent: -1, Self: f.End - f.Begin}}}}
		must.Do(t, s.WriteFrame(&f))
		for past := max(i, 3) - 3; past <= i; past++ {
			wanted, decided := s.WantsPicture(past)
			if !decided || wanted && past%10 != 9 {
				t.Errorf("frame %d: wanted %t, decided %t", past, wanted, decided)
			}
			if wanted && past+2 <= i {
				s.SetPicture(past, pictured(past, 240, 135))
			}
		}
	}
}

// A recording, a stream, a copy and the file of a black box have them, and show them.
func TestPicturesOfSlowFrames(t *testing.T) {
	live, dir := process.NewSession(), t.TempDir()
	var file, stream, copied bytes.Buffer
	recording, streaming := capture.RecordTo(live, &file), capture.StreamTo(live, &stream)
	box := must.Get(capture.NewBlackBox(live, capture.BlackBoxOptions{Dir: dir, After: 5, CoolDown: -1, Log: io.Discard,
		OverBudget: -1}))(t)
	hitches(t, live, 0, 88)
	box.Trigger("hitch")
	hitches(t, live, 88, 89)
	live.SetPicture(3, pictured(3, 240, 135))  // not a slow frame
	live.SetPicture(79, pictured(79, 481, 10)) // too wide
	for _, c := range []io.Closer{recording, streaming, box} {
		must.Do(t, c.Close())
	}
	w := framefile.NewWriter(&copied, capture.Info{})
	again := process.NewSession()
	again.AddSink(w)
	if _, err := framefile.Load(again, bytes.NewReader(file.Bytes())); err != nil {
		t.Fatal(err)
	}
	must.Do(t, w.Close())
	written, _ := filepath.Glob(filepath.Join(dir, "*.iprof"))
	boxed, _ := must.Two(capture.Open(written[0]))(t)
	samePictures(t, "black box", boxed, 8)
	followed := process.NewSession()
	if err := framefile.NewFollower(followed).Follow(&stream, nil); !errors.Is(err, framefile.ErrEnded) {
		t.Fatal(err)
	}
	samePictures(t, "stream", followed, 1) // it rather drops frames
	for name, b := range map[string]*bytes.Buffer{"recording": &file, "copy": &copied} {
		read := process.NewSession()
		if c, err := framefile.Load(read, b); err != nil || len(c.Damages) > 0 {
			t.Fatal(err, c)
		}
		samePictures(t, name, read, 8)
	}
}

func samePictures(t *testing.T, name string, s *process.Session, least int) {
	t.Helper()
	n := 0
	for i := range uint64(89) {
		got := s.Picture(i)
		if got == nil {
			continue
		}
		if n++; !reflect.DeepEqual(got, pictured(i, 240, 135)) {
			t.Errorf("%s: frame %d has another picture", name, i)
		}
	}
	if n < least {
		t.Errorf("%s: got %d pictures; want at least %d", name, n, least)
	}
}

// Sizes and data that lie are damage, and take no more memory than a picture.
func TestHostilePictures(t *testing.T) {
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	before := file.Len()
	must.Do(t, w.WritePicture(report.FramePicture{Frame: 5, Picture: pictured(1, 4, 4)}))
	chunk, head := bytes.Clone(file.Bytes()[before:]), bytes.Clone(file.Bytes()[:before])
	for name, bad := range map[string]func(b []byte){
		"no width":  func(b []byte) { b[3] = 0 },
		"larger":    func(b []byte) { b[3] = 5 },
		"smaller":   func(b []byte) { b[4] = 3 },
		"huge":      func(b []byte) { b[3], b[4] = 0xff, 0x7f },
		"not zlib":  func(b []byte) { b[5] = 0xff },
		"truncated": func(b []byte) { b[len(b)-6] ^= 0x55 },
	} {
		lie := bytes.Clone(chunk)
		bad(lie)
		_, damages, r := readAll(t, mended(append(bytes.Clone(head), lie...)))
		if damages != 1 || len(r.Pictures()) > 0 {
			t.Errorf("%s: got %d damages, %d pictures; want 1 damage", name, damages, len(r.Pictures()))
		}
	}
	_, damages, r := readAll(t, append(head, chunk...))
	if damages > 0 || len(r.Pictures()) != 1 || !reflect.DeepEqual(r.Pictures()[0].Picture, pictured(1, 4, 4)) {
		t.Errorf("the good one: got %d damages, %+v", damages, r.Pictures())
	}
}
