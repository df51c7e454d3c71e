package pyroscope

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	mostTries   = 4 // requests for one profile
	firstPause  = time.Second
	longPause   = time.Minute
	mostMessage = 200 // bytes of a server's answer in an error
)

// refused is a server's answer to a request that it did not take.
type refused struct {
	status int
	text   string
	after  time.Duration // the pause that the server asks for
}

// Error returns the server's status and text.
func (r *refused) Error() string {
	return fmt.Sprintf("pyroscope: the server answers %d %s: %q", r.status, http.StatusText(r.status), r.text)
}

// passing reports whether the same request may succeed later.
func (r *refused) passing() bool {
	return r.status == http.StatusTooManyRequests || r.status == http.StatusRequestTimeout || r.status >= 500
}

// deliver sends the profiles one after the other.
func (p *Pusher) deliver(ctx context.Context) {
	defer p.stopped.Done()
	for {
		next, ok := p.take()
		if !ok {
			return
		}
		p.note(p.insist(ctx, &next))
	}
}

// note counts a profile as sent, or as dropped because of an error.
func (p *Pusher) note(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stats.Err = err; err != nil {
		p.stats.Dropped++
		return
	}
	p.stats.Sent++
}

// insist sends a profile, several times if necessary.
func (p *Pusher) insist(ctx context.Context, next *profile) error {
	for try := 1; ; try++ {
		err := p.send(ctx, next)
		var answer *refused
		if err == nil || try == mostTries || ctx.Err() != nil || errors.As(err, &answer) && !answer.passing() {
			return err
		}
		p.mu.Lock()
		p.stats.Retried, p.stats.Err = p.stats.Retried+1, err
		p.mu.Unlock()
		if !sleep(ctx, pause(try, answer)) {
			return err
		}
	}
}

// pause returns the time before the next try. It doubles with each try and has a random part, so that a thousand
// programs do not return at the same time.
func pause(try int, answer *refused) time.Duration {
	if answer != nil && answer.after > 0 {
		return answer.after
	}
	d := firstPause << (try - 1)
	return d/2 + rand.N(d)
}

// sleep returns false if the context ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// send makes one request.
func (p *Pusher) send(ctx context.Context, next *profile) error {
	o := &p.options
	path, kind, body := pushed(o, next)
	if o.Ingest {
		path, kind, body = ingested(o, next)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, o.URL+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("User-Agent", "iprof")
	if o.Tenant != "" {
		r.Header.Set("X-Scope-OrgID", o.Tenant)
	}
	switch {
	case o.Token != "":
		r.Header.Set("Authorization", "Bearer "+o.Token)
	case o.User != "":
		r.SetBasicAuth(o.User, o.Password)
	}
	answer, err := o.Client.Do(r)
	if err != nil {
		return fmt.Errorf("pyroscope: %w", err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(answer.Body, mostMessage))
	if answer.StatusCode/100 == 2 {
		return nil
	}
	return &refused{answer.StatusCode, strings.ToValidUTF8(string(text), "?"), after(answer)}
}

// after returns the pause that an answer's header Retry-After asks for, up to a minute.
func after(answer *http.Response) time.Duration {
	seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(min(seconds, 3600))*time.Second, longPause)
}
