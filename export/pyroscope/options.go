package pyroscope

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"example.com/iprof/process"
)

// Options name the server and the profiles. URL and Name are required.
type Options struct {
	URL  string // of the server, such as http://localhost:4040
	Name string // of the service

	Session  *process.Session  // nil is process.Default
	Labels   map[string]string // of all profiles; a name has letters, digits and _, and does not begin with a digit
	Interval time.Duration     // the time between profiles; 0 is 15 s

	Tenant   string // the header X-Scope-OrgID, for servers with several tenants
	Token    string // sent as "Authorization: Bearer TOKEN"
	User     string // with Password: basic authentication, which Grafana Cloud uses
	Password string

	// Ingest selects the older address, POST /ingest. The default is Pyroscope's push service, which exists since
	// version 1.0.
	Ingest bool

	// Client sends the requests. nil means a client that gives up after 10 s.
	Client *http.Client
}

// The limits of names are those of Prometheus.
var labelName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

const (
	usualInterval = 15 * time.Second
	usualTimeout  = 10 * time.Second
)

// checked returns the options with defaults filled in, or an error that names the wrong field.
func (o Options) checked() (Options, error) {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil:
		return o, fmt.Errorf("pyroscope: Options.URL: %w", err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return o, fmt.Errorf("pyroscope: Options.URL is %q: write it as http://HOST:4040", o.URL)
	case o.Name == "":
		return o, errors.New("pyroscope: Options.Name is empty: give the service a name")
	case o.Interval < 0:
		return o, fmt.Errorf("pyroscope: Options.Interval is %v: 0 is %v", o.Interval, usualInterval)
	case o.Token != "" && o.User != "":
		return o, errors.New("pyroscope: Options has both a Token and a User: choose one")
	}
	for name := range o.Labels {
		if !labelName.MatchString(name) || strings.HasPrefix(name, "__") {
			return o, fmt.Errorf("pyroscope: Options.Labels: %q is not a name: use letters, digits and _", name)
		}
	}
	o.URL = strings.TrimSuffix(o.URL, "/")
	o.Interval = cmp.Or(o.Interval, usualInterval)
	if o.Session == nil {
		o.Session = process.Default()
	}
	if o.Client == nil {
		o.Client = &http.Client{Timeout: usualTimeout}
	}
	return o, nil
}
