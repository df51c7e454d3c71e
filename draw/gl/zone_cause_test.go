//go:build cgo && !iprof_off

package gl

import (
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/egltest"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	host "github.com/go-gl/gl/v3.3-core/gl"
)

// swap stands for the exchange of the buffers: the program waits there for the GPU, or for the display.
var swap = gather.Zone{Name: "swap", Idle: true}

var (
	gameZone  = gather.Zone{Name: "game"}
	heavyZone = NewZone("heavy")
)

// A program to draw with: a triangle over everything, whose pixels take long.
const (
	everywhere = `#version 330 core
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }` + "\x00"
	slowly = `#version 330 core
out vec4 color;
void main() {
	float x = gl_FragCoord.x;
	for (int i = 0; i < 2000; i++) x = fract(x * 1.7 + 0.3);
	color = vec4(x);
}` + "\x00"
)

// preparePass makes the program that drawPass needs.
func preparePass(t *testing.T) {
	p := host.CreateProgram()
	for kind, text := range map[uint32]string{host.VERTEX_SHADER: everywhere, host.FRAGMENT_SHADER: slowly} {
		shader := host.CreateShader(kind)
		source, free := host.Strs(text)
		host.ShaderSource(shader, 1, source, nil)
		free()
		host.CompileShader(shader)
		host.AttachShader(p, shader)
	}
	host.LinkProgram(p)
	var array uint32
	host.GenVertexArrays(1, &array)
	host.BindVertexArray(array)
	host.UseProgram(p)
	noError(t, "the pass")
}

// drawPass is work for the GPU: one that takes the CPU next to nothing.
func drawPass(times int) {
	defer heavyZone.Begin().End()
	for range times {
		host.DrawArrays(host.TRIANGLES, 0, 3)
	}
}

// passesOf returns the number of passes that take the GPU so long.
func passesOf(d time.Duration) int {
	for times := 1; ; times *= 2 {
		least := time.Hour
		for range 3 { // the first compiles, and others may have the processor
			begin := time.Now()
			drawPass(times)
			host.Finish()
			least = min(least, time.Since(begin))
		}
		if least > d || times > 1<<14 {
			return times
		}
	}
}

// playFrame is a frame of a game: some passes, the swap.
func playFrame(s *process.Session, passes int, display time.Duration) {
	game := gameZone.Begin()
	drawPass(passes)
	game.End()
	wait := swap.Begin()
	host.Finish()
	time.Sleep(display)
	wait.End()
	s.Update()
}

// slowest returns the age of the longest frame of the last ones.
func slowest(s *process.Session) (age int) {
	frames, most := s.AppendFrames(nil, 8), float32(0)
	for i := range frames {
		if frames[i].Length > most {
			age, most = len(frames)-1-i, frames[i].Length
		}
	}
	return age
}

// A frame that is slow only on the GPU, and one that waits for the display, with the times of a real driver. The
// machine may be busy with other things, so each may try some times: the words must be right once.
func TestVerdictOnRealTimesOfTheGPU(t *testing.T) {
	const tries, slow = 5, 150 * time.Millisecond
	for name, c := range map[string]struct {
		gpu     bool
		verdict string
		bound   report.Bound
	}{
		"only the GPU": {true, "The GPU worked longer: GPU heavy ", report.BoundGPU},
		"the display":  {false, "Waiting in swap ", report.BoundDisplay},
	} {
		t.Run(name, func(t *testing.T) {
			noTimers(t)
			egltest.Open(t, egltest.Core, 64, 48)
			if _, err := GPULane(); err != nil {
				t.Skip(err)
			}
			s := process.Default()
			s.Reset()
			t.Cleanup(s.Reset)
			preparePass(t)
			many, display := passesOf(slow), time.Millisecond
			said := ""
			for range tries {
				for range 48 {
					playFrame(s, 1, display)
				}
				if c.gpu {
					playFrame(s, many, display)
				} else {
					playFrame(s, 1, slow)
				}
				for range 3 { // the times of the GPU arrive
					playFrame(s, 1, display)
				}
				var v report.Verdict
				age := slowest(s)
				s.VerdictOf(&v, age)
				s.View().SetAverage(report.AverageInstant)
				s.Pause()
				s.View().SetFrame(age)
				i := s.View().Info()
				s.Resume()
				said = v.String() + " " + i.Bound().String()
				if strings.Contains(v.String(), c.verdict) && i.Bound() == c.bound {
					t.Log(said)
					return
				}
			}
			t.Errorf("got %q; want %q and %v", said, c.verdict, c.bound)
		})
	}
}
