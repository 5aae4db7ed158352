import { Component, type ComponentType, lazy, type ReactElement, type ReactNode, Suspense, useState } from "react";
import { texts } from "../../i18n/texts";
import { usePage } from "../page-context";

/*
 * Parts of the workspace that are fetched when they are first needed, each with its stylesheet.
 *
 * Every such part imports app.tsx: esbuild cuts shared modules into chunks by who shares them, and many small chunks
 * weigh more than one. With that import everything that the page needs at load is shared by all parts and becomes one
 * chunk.
 */

type Module<Props> = { default: ComponentType<Props> };
type LoadModule<Props> = () => Promise<Module<Props>>;

/** A part: its component, and how to fetch it before it is needed. */
export interface LazyPart<Props> {
  (props: Props): ReactElement;
  /** Fetches the part, so that it opens without delay. */
  readonly prefetch: (parts: PartLoader) => void;
}

/**
 * Makes a component of a part that is fetched when it is first rendered. Until the part has arrived, nothing is shown;
 * when it cannot be fetched, an error with a button to try again. With `Meanwhile`, that is shown in both cases.
 */
export function lazyPart<Props extends object>(
  stylesheet: string,
  load: LoadModule<Props>,
  Meanwhile?: ComponentType<Props>,
): LazyPart<Props> {
  const Part = (props: Props): ReactElement => {
    const { parts } = usePage();
    const component = (): ComponentType<Props> =>
      parts.loaded(load) ?? (lazy(() => parts.load(stylesheet, load)) as unknown as ComponentType<Props>);
    const [Loaded, setLoaded] = useState(component);
    const meanwhile = Meanwhile && <Meanwhile {...props} />;
    return (
      <LoadErrorBoundary retry={() => setLoaded(component)} meanwhile={meanwhile}>
        <Suspense fallback={meanwhile}>
          <Loaded {...props} />
        </Suspense>
      </LoadErrorBoundary>
    );
  };
  return Object.assign(Part, {
    prefetch: (parts: PartLoader) => void parts.load(stylesheet, load).catch(() => {}),
  });
}

/** A part could not be fetched, because the server was not reachable. */
class PartLoadError extends Error {}

interface BoundaryProps {
  readonly retry: () => void;
  readonly meanwhile: ReactNode;
  readonly children: ReactNode;
}

/** Shows an error and a button to try again where a part could not be fetched. Other errors pass. */
class LoadErrorBoundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    if (error instanceof PartLoadError) return { error };
    throw error;
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    if (this.props.meanwhile !== undefined) return this.props.meanwhile;
    const retry = (): void => {
      this.setState({ error: undefined });
      this.props.retry();
    };
    return (
      <div className="load-failed" role="alert">
        <span>{texts.later.failed}</span>
        <button className="button" onClick={retry}>{texts.later.again}</button>
      </div>
    );
  }
}

/** Fetches parts with their stylesheets, and remembers those that have arrived: they open without delay. */
export class PartLoader {
  readonly #stylesheets = new Map<string, Promise<void>>();
  readonly #components = new Map<unknown, unknown>();

  /** The component that `load` delivered, if it has arrived. */
  loaded<Props>(load: LoadModule<Props>): ComponentType<Props> | undefined {
    return this.#components.get(load) as ComponentType<Props> | undefined;
  }

  /** Fetches a part and its stylesheet; throws `PartLoadError` where one of them cannot be fetched. */
  async load<Props>(stylesheet: string, load: LoadModule<Props>): Promise<Module<Props>> {
    const [module] = await Promise.all([load(), this.stylesheet(stylesheet)]).catch(() => {
      throw new PartLoadError(stylesheet);
    });
    this.#components.set(load, module.default);
    return module;
  }

  /** Adds a stylesheet to the page, once. Resolves when it applies; after a failure the next call tries again. */
  stylesheet(name: string): Promise<void> {
    const known = this.#stylesheets.get(name);
    if (known !== undefined) return known;
    const link = document.createElement("link");
    const loaded = new Promise<void>((resolve, reject) => {
      link.onload = () => resolve();
      link.onerror = () => {
        link.remove();
        this.#stylesheets.delete(name);
        reject(new Error(name));
      };
    });
    link.rel = "stylesheet";
    link.href = `${name}.css`;
    this.#stylesheets.set(name, loaded);
    document.head.append(link);
    return loaded;
  }
}
