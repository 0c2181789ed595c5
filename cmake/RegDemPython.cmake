# The Python that scripts/bootstrap.sh sets up in .venv/ has the packages of
# benchmarks/requirements.txt. find_package(Python3) takes it where it is there,
# unless -DPython3_EXECUTABLE names another one.
set(RegDemVenvPython "${CMAKE_CURRENT_LIST_DIR}/../.venv/bin/python3")
cmake_path(NORMAL_PATH RegDemVenvPython)
if(NOT DEFINED Python3_EXECUTABLE AND EXISTS "${RegDemVenvPython}")
  set(Python3_EXECUTABLE "${RegDemVenvPython}")
endif()
