// Loaded by threads that run from source, before their module. On Node 20 `--import tsx` does nothing in a thread.
import { register } from 'tsx/esm/api';

register();
