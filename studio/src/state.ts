// What the page keeps: which files are open, the text in the editor, and the run in the simulator.
import { batch, computed, signal } from "@preact/signals";
import { ask, Files, Look, Refused, Row } from "./api";

export type Tab = "model" | "simulator" | "states" | "games" | "cases" | "runs";

export const files = signal<Files | null>(null);
export const tab = signal<Tab>("model");
export const trouble = signal<string | null>(null);

/** The model that is open: its name, what is in the file, and what is in the editor. */
export const model = signal<{ name: string; saved: string; writable: boolean } | null>(null);
export const text = signal("");
export const look = signal<Look | null>(null);
export const changed = computed(() => model.value !== null && text.value !== model.value.saved);

/** A part of the model that is pointed at: bytes in its text. */
export const pointed = signal<{ start: number; end: number; from: "picture" | "editor" } | null>(null);

/** The run in the simulator: everything that happened, and how much of it is shown. */
export const records = signal<unknown[]>([]);
export const shown = signal(0);
export const rows = signal<Row[]>([]);

export const suite = signal<string | null>(null);
export const journal = signal<string | null>(null);

/** What went wrong, in words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** How many attempts began or failed, which orders them. */
let moments = 0;
let lastFailure = 0;

/** Shows what went wrong. */
export function failed(error: unknown) {
  lastFailure = ++moments;
  trouble.value = reasonOf(error);
}

/** Does something, and shows what went wrong if it does. The message stays until something that began later succeeds. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  const begun = ++moments;
  try {
    const result = await work();
    if (begun > lastFailure) trouble.value = null;
    return result;
  } catch (error) {
    failed(error);
    return undefined;
  }
}

/** The model as requests name it, with the text in the editor. */
export function subject(): { name: string; text: string } {
  return { name: model.value?.name ?? "", text: text.value };
}

let opening = 0;

export async function openModel(name: string) {
  const own = ++opening;
  await attempt(async () => {
    const [opened, seen] = await Promise.all([
      ask<{ name: string; text: string; writable: boolean }>("model", { name }),
      ask<Look>("look", { name }),
    ]);
    // Another model may have been chosen meanwhile.
    if (own !== opening) return;
    batch(() => {
      model.value = { name, saved: opened.text, writable: opened.writable };
      text.value = opened.text;
      look.value = seen;
      records.value = [];
      rows.value = [];
      shown.value = 0;
      pointed.value = null;
    });
  });
}

let latest = 0;

/** Looks at the text again, unless it changes meanwhile. */
export async function lookAgain() {
  const own = ++latest;
  try {
    const seen = await ask<Look>("look", subject());
    if (own === latest) look.value = seen;
  } catch (error) {
    if (own === latest) failed(error);
  }
}

export async function save() {
  const open = model.value;
  if (!open) return;
  const now = text.value;
  try {
    await ask("save", { name: open.name, text: now, before: open.saved });
    model.value = { ...open, saved: now };
    trouble.value = null;
  } catch (error) {
    failed(error instanceof Refused ? error.message : error);
  }
}

/** Puts a run into the simulator and goes there. */
export function play(run: unknown[]) {
  batch(() => {
    records.value = run;
    rows.value = [];
    shown.value = 0;
    tab.value = "simulator";
  });
}

export async function refreshFiles() {
  const known = await attempt(() => ask<Files>("files"));
  if (known) files.value = known;
}

/** Lets the browser save a text as a file. */
export function download(name: string, contents: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([contents], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
