# Sourced by the scripts beside it. A server's script calls `describe_server`, defines what is particular to it
#   check_machine  ends through cannot_be_had where this machine cannot have the server
#   fetch          downloads what is missing
#   launch         prepares a start and ends with run_detached
#   is_ready       whether the running server answers
# and hands its arguments to `server_command`.
# shellcheck shell=bash
set -euo pipefail

# -P, because a server is recognised by the path of its folder, whatever links lead to it.
stack_home=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# Links to the run folders of what `up` started with whatever settings, so that `down` finds it without them.
started=$stack_home/../../.stack/started
given_stack_dir=${STACK_DIR:-}
# Downloads, and below run/ everything that the servers write.
mkdir -p "${STACK_DIR:=$stack_home/../../.stack}/run"
stack_dir=$(cd "$STACK_DIR" && pwd -P)

all_servers=(mongodb kafka opensearch)

# The words of a command line, or all servers if there are none.
choose_servers() {
  local name
  servers=("$@")
  [ $# -gt 0 ] || servers=("${all_servers[@]}")
  for name in "${servers[@]}"; do
    [[ " ${all_servers[*]} " = *" $name "* ]] || fail "there is no server $name; there are ${all_servers[*]}"
  done
}

code_usage=2
code_not_running=3
code_cannot_be_had=4

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

cannot_be_had() {
  say "$*"
  exit "$code_cannot_be_had"
}

needs() {
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || cannot_be_had "the program $program is not installed"
  done
}

needs_linux() {
  [ "$(uname -s)" = Linux ] || cannot_be_had "these scripts are for Linux, this is $(uname -s)"
}

# Prints the home of the first Java that is new enough: JAVA_HOME, then the one on the path, then all that are installed.
java_home() {
  local least=$1 home version on_path
  on_path=$(readlink -f "$(command -v java)" || true)
  for home in "${JAVA_HOME:-}" "${on_path%/bin/java}" /usr/lib/jvm/*; do
    [ -x "$home/bin/java" ] && [ -f "$home/release" ] || continue
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
    [ "${version:-0}" -lt "$least" ] || { echo "$home" && return; }
  done
  cannot_be_had "no Java $least or newer was found"
}

# maven_copy <folder> <option>… copies the dependencies that the pom on standard input names. One at a time: the local
# repository of Maven 3 is not made for two writers.
maven_copy() {
  local folder=$1
  shift
  mkdir -p "$folder"
  cat >"$folder/pom.xml"
  flock "$stack_dir/maven.lock" timeout 600 mvn --batch-mode --quiet --no-transfer-progress \
    --file "$folder/pom.xml" \
    org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DoutputDirectory="$folder" "$@" \
    >"$folder/maven.log" 2>&1 || { cat "$folder/maven.log" >&2 && return 1; }
}

# describe_server <name> <version> <address> <port>…
describe_server() {
  server=$1 version=$2 address=$3
  ports=("${@:4}")
  run=$stack_dir/run/$server-${ports[0]}
  data=$run/data
  log=$run/server.log
  pid_file=$run/pid
}

# Runs a program that outlives this script; 9 is the lock of the verb. Its command line is there only once bash has
# become it.
run_detached() {
  (cd "$run" && exec setsid "$@") </dev/null >>"$log" 2>&1 9>&- &
  echo $! >"$pid_file"
  wait_until 30 has_begun || true
}

pid() { cat "$pid_file" 2>/dev/null || true; }

# A process id may belong to another program by now, but every server's command line names its own run folder.
is_running() {
  [ -s "$pid_file" ] && tr '\0' ' ' <"/proc/$(pid)/cmdline" | grep -qF -- "$run/"
} 2>/dev/null # no such process

has_ended() { ! is_running; }
has_begun() { is_running || ! kill -0 "$(pid)" 2>/dev/null; }

# Only an answer says that a server is ready. That its command line is not there says that it has ended, but only if it stays
# so: on a busy machine a look may fall into the moment in which one program becomes another.
outcome=''
is_ready_or_ended() {
  if is_ready; then
    outcome=ready
  elif has_ended && ! wait_until 2 is_running; then
    outcome=ended
  else
    return 1
  fi
}
port_is_open() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

wait_until() {
  local deadline=$((SECONDS + $1))
  until "${@:2}"; do
    [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep 0.1
  done
}

fetch_or_say() {
  local code
  set +e # a conditional would switch -e off inside fetch
  (set -e && flock 8 && fetch) 8>"$stack_dir/$server.lock"
  code=$?
  set -e
  [ "$code" = 0 ] || cannot_be_had "$server $version could not be fetched"
}

start_server() {
  local needed_port
  if ! is_running; then
    check_machine
    fetch_or_say
    for needed_port in "${ports[@]}"; do
      ! port_is_open "$needed_port" || fail "$server cannot start: port $needed_port is in use by another program"
    done
    mkdir -p "$data"
    [ ! -f "$log" ] || mv "$log" "$log.previous"
    : >"$log"
    launch
  fi
  wait_until 120 is_ready_or_ended || true
  if [ "$outcome" != ready ]; then
    say "$server does not answer; the end of $log:"
    tail -n 20 "$log" >&2
    end_server KILL
    exit 1
  fi
}

end_server() { # <signal>
  if is_running; then
    kill "-$1" "$(pid)" 2>/dev/null || true # it may end between the two
    if ! wait_until 30 has_ended; then
      say "$server did not stop by itself within 30 s and is killed"
      kill -KILL "$(pid)" 2>/dev/null || true
      wait_until 10 has_ended || fail "$server cannot be ended"
    fi
  fi
  rm -f "$pid_file"
}

server_command() {
  local verb=${1:-}
  case $verb in
    start | stop | kill | wipe)
      exec 9>"$run.lock"
      flock 9
      ;;
  esac
  case $verb in
    start)
      start_server
      echo "$address"
      ;;
    stop) end_server TERM ;;
    kill) end_server KILL ;;
    wipe)
      end_server KILL
      rm -rf "$run"
      ;;
    fetch)
      check_machine
      fetch_or_say
      ;;
    check) check_machine ;;
    status)
      is_running || { echo stopped && exit "$code_not_running"; }
      echo "running as process $(pid)"
      ;;
    address) echo "$address" ;;
    version) echo "$version" ;;
    log) echo "$log" ;;
    folder) echo "$run" ;;
    *)
      say "usage: ops/stack/$server start|stop|kill|status|wipe|fetch|check|address|version|log|folder"
      exit "$code_usage"
      ;;
  esac
}
