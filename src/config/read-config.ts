import { StartupError } from '../kernel/startup-error.ts';
import { type Config, configSchema, settingRows } from './settings.ts';

const asItIs = (text: string): string => text;

type Texts = Readonly<Record<string, string | undefined>>;

const startupError = (sentences: string): Error => new StartupError(sentences);

/**
 * Flags win over the environment; a blank value is none. Throws a sentence for each setting that cannot be used; whoever
 * has flags says as what, where one of them is among these.
 */
export function readConfig(environment: Texts, flags: Texts = {}, flagError = startupError): Config {
  const given: Record<string, string> = {};
  for (const { name, flag } of settingRows) {
    const text = (flag === undefined ? undefined : flags[flag]) ?? environment[name];
    if (text !== undefined && text.trim() !== '') given[name] = text.trim();
  }
  const parsed = configSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const bad = new Set(parsed.error.issues.map(({ path }) => path[0]));
  const sentences = settingRows
    .filter(({ name }) => bad.has(name))
    .map(({ name, flag, mustBe, secret, shown = asItIs }) => {
      const spelled = flag === undefined ? name : `${name} (--${flag})`;
      return `${spelled} must be ${mustBe}${secret ? '' : `; it is "${shown(given[name] ?? '')}"`}.`;
    });
  const isByFlag = settingRows.some(
    ({ name, flag }) => bad.has(name) && flag !== undefined && given[name] === flags[flag]?.trim(),
  );
  throw (isByFlag ? flagError : startupError)(sentences.join('\n'));
}

const valueText = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? value.join(',') : String(value ?? '');
};

/** One line for each setting that is not as it would be by itself; of a secret only that it is set. */
export function describeConfig(config: Config): string[] {
  const defaults = configSchema.parse({});
  const differing = settingRows.filter(({ name }) => valueText(config[name]) !== valueText(defaults[name]));
  const width = Math.max(...differing.map(({ name }) => name.length));
  return differing.map(({ name, secret, shown = asItIs }) => {
    const text = secret ? 'set' : shown(valueText(config[name]));
    return `${name.padEnd(width)} ${text}`;
  });
}
