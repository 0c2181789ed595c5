# cmake -DFROM=FILE -DTO=FILE -P EmbedBytes.cmake: writes the bytes of FROM as
# the elements of an initialiser in C.
file(READ "${FROM}" bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${TO}" "${bytes}\n")
