package remote

import (
	"context"
	"errors"
	"io"
	"time"

	"example.com/iprof/capture"
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
	Info      capture.Info  // of the program, once it was connected
	Err       error         // why it is not connected
	Retry     time.Duration // until it is tried again
}

// Follow writes the frames of the program into the session, until ctx is done. If the connection is lost, the session
// keeps what it has and Follow tries again, later and later. It calls say at each change.
func (p *Program) Follow(ctx context.Context, s *process.Session, say func(State)) {
	f := capture.NewFollower(s)
	var state State
	retry := firstRetry
	for {
		err := p.follow(ctx, f, func(i capture.Info) {
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

func (p *Program) follow(ctx context.Context, f *capture.Follower, begun func(capture.Info)) error {
	stream, err := p.Live(ctx)
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
	var damage *capture.DamageError
	var newer *capture.NewerError
	switch {
	case errors.As(err, &newer):
		return errNewer
	case errors.As(err, &damage), errors.Is(err, capture.ErrEnded), errors.Is(err, io.ErrUnexpectedEOF):
		return errLost
	case cause(err) != err:
		return cause(err)
	}
	return err
}
