package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// A file is one member of an archive.
type file struct {
	name string // with / between folders
	text []byte
	mode fs.FileMode
}

const (
	plain      fs.FileMode = 0o644
	executable fs.FileMode = 0o755
)

// sorted returns the files in order of name, so that an archive does not depend on the order in which they were found.
func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// writeTarGzip writes the files below the folder top: in order, all of one time, owned by nobody of this machine.
func writeTarGzip(out io.Writer, top string, files []file, at time.Time) error {
	packed, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(packed)
	for _, f := range sorted(files) {
		head := &tar.Header{
			Typeflag: tar.TypeReg, Name: top + "/" + f.name, Size: int64(len(f.text)), Mode: int64(f.mode), ModTime: at, Format: tar.FormatUSTAR,
		}
		if err := archive.WriteHeader(head); err != nil {
			return err
		}
		if _, err := archive.Write(f.text); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return packed.Close()
}

// writeZip writes the files as writeTarGzip does.
func writeZip(out io.Writer, top string, files []file, at time.Time) error {
	archive := zip.NewWriter(out)
	for _, f := range sorted(files) {
		head := &zip.FileHeader{Name: top + "/" + f.name, Method: zip.Deflate, Modified: at.UTC()}
		head.SetMode(f.mode)
		member, err := archive.CreateHeader(head)
		if err != nil {
			return err
		}
		if _, err := member.Write(f.text); err != nil {
			return err
		}
	}
	return archive.Close()
}
