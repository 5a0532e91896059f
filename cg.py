import socket,sys
s=socket.create_connection(("127.0.0.1",9103)); r=("GET %s HTTP/1.1\r\nHost: 127.0.0.1:9103\r\n\r\n"%sys.argv[1]).encode(); n=int(sys.argv[2])
def one():
    s.sendall(r); b=b""
    while b"\r\n\r\n" not in b: b+=s.recv(65536)
    h,_,d=b.partition(b"\r\n\r\n"); l=int(h.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    while len(d)<l: d+=s.recv(65536)
for i in range(n): one()
