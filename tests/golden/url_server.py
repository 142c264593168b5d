"""Local servers for tests of URLs: HTTP that can misbehave in the ways that the first part of a path names, and FTP."""
import http.server
import re
import socket
import socketserver
import struct
import threading

# Where these ways redirect to.
REDIRECTS = {"redirect": "/ok/{name}", "relative": "../ok/{name}", "same_scheme": "//{host}/ok/{name}", "whole": "http://{host}/ok/{name}#part",
             "to_a_file": "file:///etc/passwd", "to_s3": "s3://bucket/{name}", "to_nowhere": ""}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        """/WAY/NAME. A way is `ok`, or a fault and where it happens: `cut:1000`. Behind a proxy, a whole URL."""
        path = re.sub(r"^http://[^/]*", "", self.path).split("?")[0]
        way, name = path[1:].split("/", 1)
        way, _, number = way.partition(":")
        number = int(number or 0)
        asked = self.headers.get("Range")
        self.server.asked.append((path, asked))
        if way == "status":
            return self.answer(number, b"no\n")
        if way in REDIRECTS:
            return self.redirect(REDIRECTS[way].format(name=name, host=self.headers["Host"]))
        if way == "loop":
            return self.redirect(f"/loop/{name}")
        if way == "hops":  # so many redirects, then the file
            return self.redirect(f"/hops:{number - 1}/{name}" if number > 1 else f"/ok/{name}")
        if way == "silent":
            return self.server.stopping.wait()
        data = self.server.files.get(name)
        if data is None:
            return self.answer(404, b"no\n")
        ranged = way.startswith("range_")
        if asked and way != "no_ranges":
            begin = int(asked.split("=")[1].split("-")[0])
            body, size = data[begin:], len(data)
            if not body:
                return self.answer(416, b"", {"Content-Range": f"bytes */{size}"})
            if ranged and begin > 0 and begin != size - 1:
                if way == "range_ignored":
                    return self.answer(200, data)
                if way == "range_elsewhere":
                    begin = max(begin - number, 1)
                    body = data[begin:]
                if way == "range_nowhere":
                    return self.answer(206, body)
                if way == "range_short":
                    body = body[:number]
                if way == "range_empty":
                    body = b""
                if way == "range_cut":
                    return self.answer(206, body, {"Content-Range": f"bytes {begin}-{size - 1}/{size}"}, cut=number)
                if way == "range_refused":
                    return self.answer(503, b"later\n")
                if way == "range_stall":
                    return self.stall(206, body, number, {"Content-Range": f"bytes {begin}-{size - 1}/{size}"})
            return self.answer(206, body, {"Content-Range": f"bytes {begin}-{begin + len(body) - 1}/{size}"})
        if way == "no_length":
            self.close_connection = True
            self.send_response(200)
            self.end_headers()
            return self.wfile.write(data)
        if way == "chunked":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for at in range(0, len(data), 9000):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data[at:at + 9000]), data[at:at + 9000]))
            return self.wfile.write(b"0\r\n\r\n")
        if way == "stall":
            return self.stall(200, data, number)
        if way == "trickle":  # the last bytes come one after the other
            self.answer(200, data, cut=len(data) - number)
            for i in range(len(data) - number, len(data)):
                self.server.stopping.wait(0.2)
                self.wfile.write(data[i:i + 1])
            return None
        return self.answer(200, data, cut=number if way in ("cut", "reset") else None, reset=way == "reset")

    def redirect(self, location):
        self.send_response(302)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", "10")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(b"elsewhere\n")

    def stall(self, status, body, sent, headers=None):
        """Sends so many bytes of the body, then nothing more, and keeps the connection."""
        self.answer(status, body, headers, cut=sent)
        self.server.stopping.wait()

    def answer(self, status, body, headers=None, cut=None, reset=False):
        self.send_response(status)
        for header, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(header, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        self.wfile.write(body[:cut])
        if cut is None:
            return
        self.close_connection = True
        if reset:  # not an orderly end but RST
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class FtpHandler(socketserver.StreamRequestHandler):
    """As much of FTP as libcurl needs. Sends `server.cut` bytes of a file at most, then ends the connection for the data."""

    def handle(self):
        data, begin, listener = b"", 0, None
        self.say("220 ready")
        for line in self.rfile:
            word, _, rest = line.decode().strip().partition(" ")
            data = self.server.files.get(rest.lstrip("/"), data)
            if word in ("SIZE", "RETR") and rest.lstrip("/") not in self.server.files:
                self.say("550 no such file")
            elif word == "SIZE":
                self.say(f"213 {len(data)}")
            elif word == "REST":
                begin = int(rest)
                self.say("350 from there")
            elif word == "EPSV":
                listener = socket.create_server(("127.0.0.1", 0))
                self.say(f"229 here (|||{listener.getsockname()[1]}|)")
            elif word == "RETR":
                connection = listener.accept()[0]
                self.say(f"150 Opening BINARY mode data connection ({len(data) - begin} bytes)")
                try:
                    connection.sendall(data[begin:][:self.server.cut])
                except OSError:
                    return
                connection.close()
                begin = 0
                self.say("226 done")
            else:
                self.say({"USER": "331 go on", "PWD": '257 "/"', "QUIT": "221 bye"}.get(word, "200 yes"))

    def say(self, text):
        self.wfile.write(f"{text}\r\n".encode())


class FtpServer(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, *_):
        pass  # a client that leaves early is no error


class HttpServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # a client that leaves early is no error


def start(kind):
    """Starts a server: "http" or "ftp". Returns it; its `files` are what it serves."""
    server = HttpServer(("127.0.0.1", 0), Handler) if kind == "http" else FtpServer(("127.0.0.1", 0), FtpHandler)
    server.files, server.asked, server.cut, server.stopping = {}, [], None, threading.Event()
    server.address = f"127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    return server


def stop(server):
    server.stopping.set()
    server.shutdown()
    server.server_close()
