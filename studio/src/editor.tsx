// The editor: CodeMirror with the colours of the language and the diagnostics of the server.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { Diagnostic as Mark, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "preact/hooks";
import { Diagnostic, Look } from "./api";
import { look, lookAgain, model, pointed, save, text } from "./state";

const words = new Set(
  ("automaton purpose model input output internal channel broadcast urgent committed init accept fail location invariant " +
    "clock int bool rational const when do query control self time unit process system environment type typedef " +
    "true false and or not if else for while return struct chan state trans guard sync assign edge event").split(" "),
);

const language = StreamLanguage.define({
  token(stream) {
    if (stream.match("//") || stream.match("#")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^\d+(?:\.\d+)?/)) return "number";
    if (stream.match(/^[A-Za-z_]\w*[?!]/)) return "propertyName";
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word) return words.has(word[0]) ? "keyword" : null;
    if (stream.match(/^(?:->|<=|>=|==|!=|&&|\|\||[<>=:;])/)) return "operator";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//" } },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "600" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.propertyName, color: "var(--code-action)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--surface)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  ".cm-content": { caretColor: "var(--accent)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  "&.cm-focused": { outline: "none" },
  ".cm-pointed": { backgroundColor: "var(--mark)", borderRadius: "3px" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)" },
});

const setPointed = StateEffect.define<{ from: number; to: number } | null>();
const pointedField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    marks = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setPointed)) {
        marks = effect.value
          ? Decoration.set([Decoration.mark({ class: "cm-pointed" }).range(effect.value.from, effect.value.to)])
          : Decoration.none;
      }
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Positions of the server count bytes of UTF-8, those of the editor units of UTF-16. */
export class Offsets {
  private ascii: boolean;
  constructor(private text: string) {
    // eslint-disable-next-line no-control-regex
    this.ascii = /^[\x00-\x7f]*$/.test(text);
  }
  fromByte(byte: number): number {
    if (this.ascii) return Math.min(byte, this.text.length);
    let bytes = 0;
    for (let index = 0; index < this.text.length; ) {
      if (bytes >= byte) return index;
      const point = this.text.codePointAt(index) ?? 0;
      bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      index += point < 0x10000 ? 1 : 2;
    }
    return this.text.length;
  }
  toByte(index: number): number {
    return this.ascii ? index : new TextEncoder().encode(this.text.slice(0, index)).length;
  }
}

function marks(seen: Look | null, contents: string, name: string): Mark[] {
  const offsets = new Offsets(contents);
  return (seen?.diagnostics ?? []).map((one: Diagnostic) => {
    const inside = one.primary && one.primary.file === name ? one.primary : null;
    const from = inside ? offsets.fromByte(inside.start) : 0;
    const to = inside ? Math.max(offsets.fromByte(inside.end), from) : 0;
    const more = [inside?.label, ...one.notes, one.help].filter(Boolean).join("\n");
    const fix = one.fix && one.fix.file === name ? one.fix : null;
    return {
      from,
      to,
      severity: one.severity === "note" ? "info" : one.severity,
      message: more ? `${one.message}\n${more}` : one.message,
      source: one.code,
      actions: fix
        ? [
            {
              name: `replace by ${fix.replacement}`,
              apply(view: EditorView) {
                const at = new Offsets(view.state.doc.toString());
                const change = { from: at.fromByte(fix.start), to: at.fromByte(fix.end), insert: fix.replacement };
                view.dispatch({ changes: change });
              },
            },
          ]
        : undefined,
    };
  });
}

export function Editor() {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);

  useEffect(() => {
    if (!host.current) return;
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? "";
    let timer = 0;
    const view = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: text.peek(),
        extensions: [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          lintGutter(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          history(),
          drawSelection(),
          bracketMatching(),
          language,
          syntaxHighlighting(colours),
          theme,
          pointedField,
          EditorView.contentAttributes.of({ "aria-label": "Source of the model", tabindex: "0" }),
          keymap.of([
            {
              key: "Mod-s",
              run: () => {
                void save();
                return true;
              },
            },
            ...defaultKeymap,
            ...historyKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) {
              const now = update.state.doc.toString();
              if (now !== text.peek()) {
                text.value = now;
                clearTimeout(timer);
                timer = window.setTimeout(() => void lookAgain(), 150);
              }
            }
            if (update.selectionSet && update.view.hasFocus) {
              const offsets = new Offsets(update.state.doc.toString());
              const byte = offsets.toByte(update.state.selection.main.head);
              const old = pointed.peek();
              const found = spotAt(byte);
              if (found && (old?.start !== found.start || old?.end !== found.end)) {
                pointed.value = { ...found, from: "editor" };
              } else if (!found && old?.from === "editor") {
                pointed.value = null;
              }
            }
          }),
        ],
      }),
    });
    editor.current = view;
    return () => {
      clearTimeout(timer);
      view.destroy();
      editor.current = null;
    };
  }, [model.value?.name]);

  useEffect(() => {
    const view = editor.current;
    if (!view) return;
    const contents = view.state.doc.toString();
    if (contents === text.peek()) {
      view.dispatch(setDiagnostics(view.state, marks(look.value, contents, model.peek()?.name ?? "")));
    }
  }, [look.value, model.value?.name]);

  useEffect(() => {
    const view = editor.current;
    if (!view) return;
    const spot = pointed.value;
    if (!spot || spot.end <= spot.start) {
      view.dispatch({ effects: setPointed.of(null) });
      return;
    }
    const offsets = new Offsets(view.state.doc.toString());
    const [from, to] = [offsets.fromByte(spot.start), offsets.fromByte(spot.end)];
    const effects: StateEffect<unknown>[] = [setPointed.of(to > from ? { from, to } : null)];
    if (spot.from === "picture") effects.push(EditorView.scrollIntoView(from, { y: "center" }));
    view.dispatch({ effects });
  }, [pointed.value]);

  return <div class="editor" ref={host} />;
}

/** The edge or location whose text has this byte; of several, the shortest. */
function spotAt(byte: number): { start: number; end: number } | null {
  const automata = look.peek()?.picture?.automata ?? [];
  let best: { start: number; end: number } | null = null;
  for (const automaton of automata) {
    for (const spot of [...automaton.nodes, ...automaton.edges]) {
      const inside = spot.line > 0 && spot.start <= byte && byte <= spot.end && spot.end > spot.start;
      if (inside && (!best || spot.end - spot.start < best.end - best.start)) best = spot;
    }
  }
  return best && { start: best.start, end: best.end };
}
