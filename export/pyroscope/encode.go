package pyroscope

import (
	"bytes"
	"encoding/binary"
	"maps"
	"mime/multipart"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The field numbers of the messages PushRequest, RawProfileSeries, LabelPair and RawSample of Pyroscope's push.proto.
// All fields are bytes or text.
const (
	requestSeries       = 1
	seriesLabels        = 1
	seriesSamples       = 2
	pairName, pairValue = 1, 2
	sampleProfile       = 1
)

// wireBytes is the wire type of a field of bytes.
const wireBytes = 2

// pushed returns the request of a profile to the push service: its path, its content's type, and its content.
func pushed(o *Options, next *profile) (path, kind string, body []byte) {
	var series []byte
	pair := func(name, value string) {
		m := field(field(nil, pairName, valid(name)), pairValue, valid(value))
		series = field(series, seriesLabels, m)
	}
	pair("__name__", "iprof")
	pair("__delta__", "false")
	pair("service_name", o.Name)
	for _, name := range slices.Sorted(maps.Keys(o.Labels)) {
		if name != "service_name" {
			pair(name, o.Labels[name])
		}
	}
	series = field(series, seriesSamples, field(nil, sampleProfile, next.data))
	return "/push.v1.PusherService/Push", "application/proto", field(nil, requestSeries, series)
}

// field appends a field of bytes to a message.
func field(m []byte, number int, value []byte) []byte {
	m = binary.AppendUvarint(m, uint64(number)<<3|wireBytes)
	m = binary.AppendUvarint(m, uint64(len(value)))
	return append(m, value...)
}

func valid(s string) []byte { return []byte(strings.ToValidUTF8(s, "?")) }

// sampleTypes describes the values of a profile to /ingest.
const sampleTypes = `{"calls":{"units":"count","display-name":"calls","aggregation":"sum","sampled":false},` +
	`"wall":{"units":"nanoseconds","display-name":"wall","aggregation":"sum","sampled":false}}`

// ingested returns the request of a profile to /ingest.
func ingested(o *Options, next *profile) (path, kind string, body []byte) {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	file, _ := form.CreateFormFile("profile", "profile.pprof") // a Buffer has no errors
	_, _ = file.Write(next.data)
	file, _ = form.CreateFormFile("sample_type_config", "sample_type_config.json")
	_, _ = file.Write([]byte(sampleTypes))
	_ = form.Close()
	query := url.Values{"name": {named(o)}, "format": {"pprof"},
		"from":  {strconv.FormatInt(next.from.Unix(), 10)},
		"until": {strconv.FormatInt(next.until.Unix(), 10)}}
	return "/ingest?" + query.Encode(), form.FormDataContentType(), b.Bytes()
}

// named returns the name of a service with its labels, as NAME{LABEL=VALUE,…}. Characters of this notation in names
// become _.
func named(o *Options) string {
	plain := strings.NewReplacer("{", "_", "}", "_", ",", "_", "=", "_", "\n", "_")
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(o.Labels)) {
		pairs = append(pairs, name+"="+plain.Replace(o.Labels[name]))
	}
	return plain.Replace(o.Name) + "{" + strings.Join(pairs, ",") + "}"
}
