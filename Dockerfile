# clang with RegDem and CUDA's compiler, on Debian 12:
#   docker build -t regdem . && docker run --rm -v "$PWD:/work" -w /work regdem clang++-22 …
FROM debian:12
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates python3-venv
COPY . /opt/regdem
WORKDIR /opt/regdem
RUN scripts/bootstrap.sh && source scripts/env.sh && cmake --preset release && \
    cmake --build --preset release --target programs && \
    cmake --install build --prefix /usr && rm -rf build
ENV CUDA_PATH=/opt/regdem/.cuda/toolkit
ENV PATH=/opt/regdem/.cuda/toolkit/bin:$PATH
