// Package follow writes the frames of a remote program into a session, over any connection.
//
//	follow.Program(ctx, session, live, func(s follow.State) { … }) // until ctx is done
package follow

import (
	"context"
	"errors"
	"io"
	"time"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/process"
)

// The time until a lost connection is tried again. It doubles with each attempt that fails.
const (
	firstRetry = time.Second / 4
	lastRetry  = 8 * time.Second
)

// State is how a program is followed.
type State struct {
	Connected bool
	Info      framefile.Info // of the program, once it was connected
	Err       error          // why it is not connected
	Retry     time.Duration  // until it is tried again
}

// Program writes the frames of a program into the session, until ctx is done. live returns the program's stream. If the
// connection is lost, the session keeps its frames, and Program tries again at growing intervals. It calls say at each
// change.
func Program(ctx context.Context, s *process.Session, live func(context.Context) (io.ReadCloser, error),
	say func(State)) {
	f := framefile.NewFollower(s)
	var state State
	retry := firstRetry
	for {
		err := readOnce(ctx, f, live, func(i framefile.Info) {
			retry = firstRetry
			state = State{Connected: true, Info: i}
			say(state)
		})
		if ctx.Err() != nil {
			return
		}
		state = State{Info: state.Info, Err: plain(err), Retry: retry}
		say(state)
		select {
		case <-ctx.Done():
			return
		case <-time.After(retry):
		}
		retry = min(2*retry, lastRetry)
	}
}

func readOnce(ctx context.Context, f *framefile.Follower, live func(context.Context) (io.ReadCloser, error),
	begun func(framefile.Info)) error {
	stream, err := live(ctx)
	if err != nil {
		return err
	}
	defer stream.Close()
	return f.Follow(stream, begun)
}

var (
	errLost  = errors.New("the connection is lost")
	errNewer = errors.New("the program is newer than this viewer")
)

// plain is an error in words that are not about files.
func plain(err error) error {
	var damage *framefile.DamageError
	var newer *framefile.NewerError
	switch {
	case errors.As(err, &newer):
		return errNewer
	case errors.As(err, &damage), errors.Is(err, framefile.ErrEnded), errors.Is(err, io.ErrUnexpectedEOF):
		return errLost
	}
	return err
}
