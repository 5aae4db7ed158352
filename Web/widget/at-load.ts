/**
 * What the widget shares with the parts that it loads later. The bundler adds this file to every part, so that all of
 * it becomes one file, which compresses better than eight small ones.
 */
import "../client/core/api";
import "../client/core/backoff";
import "../client/core/browser";
import "../client/core/keys";
import "../client/core/parse";
import "../client/core/ports";
import "../client/core/settings";
import "../client/core/shapes";
import "../client/core/store";
import "../client/conversation/played-spans";
import "../protocol/shapes";
import "../voice/storage/encrypted-store";
import "../voice/storage/encrypted-values";
import "../voice/ui/dom";
import "../voice/ui/strings";
import "../voice/ui/time";
import "./frame/status-screen";
import "./lazy-parts";
