package serve

import (
	"net"
	"net/url"
)

// URL returns the address of a path on a listener, in a form that a browser opens: of a listener for all addresses of
// this machine it is that of localhost. The path begins with a slash.
func URL(l net.Listener, path string) string {
	host := l.Addr().String()
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		_, port, _ := net.SplitHostPort(host)
		host = net.JoinHostPort("localhost", port)
	}
	return (&url.URL{Scheme: "http", Host: host, Path: path}).String()
}
