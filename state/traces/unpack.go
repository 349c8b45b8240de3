package traces

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/zstd"
)

// mostUnpacked bounds what one packed row may unpack to: OpenClaw's own limit
// for a record is 4 MiB, an archive is a whole transcript.
const (
	mostUnpacked        = 8 << 20
	mostUnpackedArchive = 512 << 20
)

// unpacker unpacks rows, one at a time.
type unpacker struct {
	decoder  *zstd.Decoder // made when it is needed: most databases hold nothing packed
	unpacked []byte
}

// row unpacks a record, which is good until the next one; what can't be unpacked
// is left as it is, which is counted as unreadable.
func (u *unpacker) row(packed []byte) []byte {
	if u.decoder == nil {
		u.decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostUnpacked), zstd.WithDecoderLowmem(true))
	}
	unpacked, err := u.decoder.DecodeAll(packed, u.unpacked[:0])
	if err != nil {
		return packed
	}
	u.unpacked = unpacked
	return unpacked
}

// openArchive opens the transcript in a blob, which may be packed.
func openArchive(blob []byte) (io.ReadCloser, error) {
	reader := bytes.NewReader(blob)
	if !bytes.HasPrefix(blob, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
		return io.NopCloser(reader), nil
	}
	stream, err := zstd.NewReader(reader, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(mostUnpacked), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(stream, mostUnpackedArchive), stream.IOReadCloser()}, nil
}
