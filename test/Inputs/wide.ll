; Twenty values of type TYPE, all live between the last load and the first
; store. Volatile, so that the order of both stays. Tests replace TYPE and
; BOUNDS.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @wide(ptr addrspace(1) %p) BOUNDS {
  %a0 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 0
  %v0 = load volatile TYPE, ptr addrspace(1) %a0
  %a1 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 1
  %v1 = load volatile TYPE, ptr addrspace(1) %a1
  %a2 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 2
  %v2 = load volatile TYPE, ptr addrspace(1) %a2
  %a3 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 3
  %v3 = load volatile TYPE, ptr addrspace(1) %a3
  %a4 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 4
  %v4 = load volatile TYPE, ptr addrspace(1) %a4
  %a5 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 5
  %v5 = load volatile TYPE, ptr addrspace(1) %a5
  %a6 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 6
  %v6 = load volatile TYPE, ptr addrspace(1) %a6
  %a7 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 7
  %v7 = load volatile TYPE, ptr addrspace(1) %a7
  %a8 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 8
  %v8 = load volatile TYPE, ptr addrspace(1) %a8
  %a9 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 9
  %v9 = load volatile TYPE, ptr addrspace(1) %a9
  %a10 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 10
  %v10 = load volatile TYPE, ptr addrspace(1) %a10
  %a11 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 11
  %v11 = load volatile TYPE, ptr addrspace(1) %a11
  %a12 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 12
  %v12 = load volatile TYPE, ptr addrspace(1) %a12
  %a13 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 13
  %v13 = load volatile TYPE, ptr addrspace(1) %a13
  %a14 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 14
  %v14 = load volatile TYPE, ptr addrspace(1) %a14
  %a15 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 15
  %v15 = load volatile TYPE, ptr addrspace(1) %a15
  %a16 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 16
  %v16 = load volatile TYPE, ptr addrspace(1) %a16
  %a17 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 17
  %v17 = load volatile TYPE, ptr addrspace(1) %a17
  %a18 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 18
  %v18 = load volatile TYPE, ptr addrspace(1) %a18
  %a19 = getelementptr inbounds TYPE, ptr addrspace(1) %p, i64 19
  %v19 = load volatile TYPE, ptr addrspace(1) %a19
  store volatile TYPE %v0, ptr addrspace(1) %a0
  store volatile TYPE %v1, ptr addrspace(1) %a1
  store volatile TYPE %v2, ptr addrspace(1) %a2
  store volatile TYPE %v3, ptr addrspace(1) %a3
  store volatile TYPE %v4, ptr addrspace(1) %a4
  store volatile TYPE %v5, ptr addrspace(1) %a5
  store volatile TYPE %v6, ptr addrspace(1) %a6
  store volatile TYPE %v7, ptr addrspace(1) %a7
  store volatile TYPE %v8, ptr addrspace(1) %a8
  store volatile TYPE %v9, ptr addrspace(1) %a9
  store volatile TYPE %v10, ptr addrspace(1) %a10
  store volatile TYPE %v11, ptr addrspace(1) %a11
  store volatile TYPE %v12, ptr addrspace(1) %a12
  store volatile TYPE %v13, ptr addrspace(1) %a13
  store volatile TYPE %v14, ptr addrspace(1) %a14
  store volatile TYPE %v15, ptr addrspace(1) %a15
  store volatile TYPE %v16, ptr addrspace(1) %a16
  store volatile TYPE %v17, ptr addrspace(1) %a17
  store volatile TYPE %v18, ptr addrspace(1) %a18
  store volatile TYPE %v19, ptr addrspace(1) %a19
  ret void
}
