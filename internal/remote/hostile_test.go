package remote_test

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/synth"
)

// TestAHostileProgram: whatever a program at the address sends, the viewer says in a line why it is not connected, and
// keeps the frames that it got before.
func TestAHostileProgram(t *testing.T) {
	good, bad := answers(t)
	for i := range 2 * len(bad) {
		answer, frames := bad[i/2], uint64(0)
		if i%2 == 1 { // behind a good frame
			answer, frames = append(bytes.Clone(good), bad[i/2]...), 1
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(answer) }))
		s, states := followed(t, server.Listener.Addr().String(), "")
		state := <-states
		if frames > 0 && state.Connected {
			state = <-states
		}
		if state.Connected || state.Err == nil || strings.Contains(state.Err.Error(), "\n") {
			t.Errorf("answer %d: got %+v; want an error of one line", i, state)
		}
		if got := s.View().Info().Frames; uint64(got) != frames {
			t.Errorf("answer %d: %d frames are left of %d", i, got, frames)
		}
		server.Close()
	}
}

// answers are a good stream, and answers of no good program: other things, nothing, lying lengths, and damaged streams.
func answers(t *testing.T) (stream []byte, bad [][]byte) {
	t.Helper()
	var good bytes.Buffer
	w := framefile.NewWriter(&good, framefile.Info{Program: "bad"})
	must.Do(t, w.WriteFrame(synth.New(1).Frame()))
	head := good.Bytes()[:10]
	random := make([]byte, 4096)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	return good.Bytes(), [][]byte{
		{}, []byte("<html>not this</html>"), random, append(bytes.Clone(head), random...),
		append(bytes.Clone(head), "F\xff\xff\xff\xff\x0f"...), // a chunk of 4 GB
		append(bytes.Clone(head[:8]), 99, 0),                  // a newer version
		good.Bytes()[10 : good.Len()-5],
	}
}
