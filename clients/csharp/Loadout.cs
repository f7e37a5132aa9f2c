// Loadout's client kit for C#: Unity and .NET, this one file. clients/README.md says what a kit does; README.md beside this
// file has a quick start. C# 7.3, .NET Standard 2.0, no dependencies, no reflection, no threads of its own.
//
// From top to bottom: the client and what a game sees of it; a player's configurations; asking the server; exposures,
// metrics and receipts; requests; stored items; JSON; adapters of clocks, storages and transports.
using System;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
#if UNITY_5_3_OR_NEWER
// Not the whole of UnityEngine: it has a Random and an Object of its own.
using UnityEngine.Networking;
#else
using System.Net;
using System.Net.Http;
#endif

namespace Loadout
{
    /// <summary>
    /// The configuration of one game for one player. All methods are called on one thread, which calls <see cref="Update"/>
    /// once a frame; tasks complete, and listeners are called, inside <see cref="Update"/>. No method throws.
    /// </summary>
    public sealed class Client
    {
        private readonly Session _session;
        private readonly Wire _wire;
        private readonly Updater _updater;
        private readonly EventQueue _events;
        private readonly ReceiptQueue _receipts;
        private readonly List<Subscription> _subscriptions = new List<Subscription>();
        private readonly List<TaskCompletionSource<RefreshResult>> _refreshes = new List<TaskCompletionSource<RefreshResult>>();
        private Player _player;
        private TaskCompletionSource<StartResult> _starting;
        private long _startDeadline = Session.Never;
        private bool _isStarted;
        private bool _isSuspended;
        private bool _isStopped;
        private bool _isUpdating;

        /// <summary>Nothing is read or sent before <see cref="StartAsync"/>.</summary>
        /// <exception cref="ArgumentException">An option is missing or malformed.</exception>
        public Client(ClientOptions options)
        {
            _session = new Session(options);
            _wire = new Wire(_session);
            _receipts = new ReceiptQueue(_session, _wire);
            _events = new EventQueue(_session, _wire, !options.ConsentRequired);
            _updater = new Updater(_session, _wire, this);
            _player = new Player(_session, options.User ?? "");
        }

        /// <summary>Loads what is stored, applies it, and asks the server.</summary>
        /// <param name="wait">
        /// How long the task waits for the server's configuration; zero: it has completed on return. It completes earlier
        /// when the configuration has been applied or cannot be had.
        /// </param>
        public Task<StartResult> StartAsync(TimeSpan wait)
        {
            if (_isStopped) return Task.FromResult(ResultOf(Codes.Stopped));
            if (_starting != null) return _starting.Task;
            if (_isStarted) return Task.FromResult(ResultOf(null));
            return Begin(wait);
        }

        /// <summary>The boolean at a JSON Pointer of a content item, or the default.</summary>
        public ConfigValue<bool> Get(string id, string pointer, bool defaultValue)
        {
            return Find(id, pointer, out JsonValue json) && json.TryBoolean(out bool value) ? Found(value) : Missing(defaultValue);
        }

        /// <summary>The integer at a JSON Pointer of a content item, or the default. <c>5.0</c> and <c>1e3</c> are integers.</summary>
        public ConfigValue<long> Get(string id, string pointer, long defaultValue)
        {
            return Find(id, pointer, out JsonValue json) && json.TryInteger(out long value) ? Found(value) : Missing(defaultValue);
        }

        /// <summary>The number at a JSON Pointer of a content item if it is finite as a double, or the default.</summary>
        public ConfigValue<double> Get(string id, string pointer, double defaultValue)
        {
            return Find(id, pointer, out JsonValue json) && json.TryDouble(out double value) ? Found(value) : Missing(defaultValue);
        }

        /// <summary>The string at a JSON Pointer of a content item, or the default.</summary>
        public ConfigValue<string> Get(string id, string pointer, string defaultValue)
        {
            return Find(id, pointer, out JsonValue json) && json.TryString(out string value) ? Found(value) : Missing(defaultValue);
        }

        /// <summary>The JSON text of the object or array at a JSON Pointer of a content item, as delivered, or the default.</summary>
        public ConfigValue<string> GetJson(string id, string pointer, string defaultValue)
        {
            return Find(id, pointer, out JsonValue json) && json.IsContainer ? Found(json.Raw) : Missing(defaultValue);
        }

        /// <summary>
        /// Calls the listener when a configuration begins to wait, when <see cref="Activate"/> or the option
        /// <see cref="ClientOptions.AutoActivate"/> applied one, and when the server cannot be used.
        /// </summary>
        /// <returns>Ends it when disposed.</returns>
        public IDisposable Watch(Action<Notice> listener)
        {
            var subscription = new Subscription(_subscriptions, listener);
            if (listener != null && !_isStopped) _subscriptions.Add(subscription);
            return subscription;
        }

        /// <summary>Applies the configuration that waits.</summary>
        /// <returns>Whether there was one.</returns>
        public bool Activate()
        {
            if (_isStopped || !_player.IsWaiting) return false;
            Configuration before = _player.Active;
            _player.Apply(_player.Latest);
            string[] ids = Configuration.Differences(before, _player.Active);
            Notify(new Notice(NoticeType.Activated, ids, _player.Active.Sequence, null));
            return true;
        }

        /// <summary>The game reached its menu with the active configuration. Call it after the start, and after each <see cref="Activate"/>.</summary>
        public void Ready()
        {
            if (_isStopped || !_isStarted) return;
            string receipt = _player.Confirm();
            if (receipt != null) _receipts.Add(_player.User, receipt, true);
        }

        /// <summary>Asks the server now.</summary>
        public Task<RefreshResult> RefreshAsync()
        {
            if (_isStopped || _isSuspended || !_isStarted) return Task.FromResult(RefreshResult.Failed);
            var refresh = new TaskCompletionSource<RefreshResult>();
            _refreshes.Add(refresh);
            _updater.AskNow();
            return refresh.Task;
        }

        /// <summary>Another player: as <see cref="StartAsync"/>, with that player's stored configuration.</summary>
        public Task<StartResult> SetUserAsync(string user, TimeSpan wait)
        {
            if (_isStopped) return Task.FromResult(ResultOf(Codes.Stopped));
            Leave(Codes.Abandoned);
            _player = new Player(_session, user ?? "");
            return Begin(wait);
        }

        /// <summary>Other attributes of the same player. What differs waits for <see cref="Activate"/>.</summary>
        public void SetContext(Attributes attributes)
        {
            if (_isStopped) return;
            _session.AttributesJson = attributes == null ? "{}" : attributes.ToJson();
            if (_isStarted) _updater.AskAgain();
        }

        /// <summary>Reports that the player sees this content item.</summary>
        public void Expose(string id)
        {
            if (!_isStarted || _isStopped || id == null || _player.Active == null) return;
            if (_player.Active.Contents.TryGetValue(id, out Content content)) _events.Expose(content);
        }

        /// <summary>Reports a metric event. A name has 1 to 100 characters; a value that is not finite does nothing.</summary>
        public void Track(string name, double value)
        {
            if (_isStarted && !_isStopped) _events.Track(name, value);
        }

        /// <summary>Whether exposures and metric events may be kept and sent. False removes those that were not sent.</summary>
        public void SetConsent(bool isGiven)
        {
            if (!_isStopped) _events.SetConsent(isGiven);
        }

        /// <summary>Sends what is queued now.</summary>
        public Task FlushAsync()
        {
            if (!_isStarted || _isStopped) return Task.FromResult(false);
            return _events.FlushAsync(!_isSuspended && !_updater.IsKeyInvalid);
        }

        /// <summary>The game went to the background: closes the stream, stops all timers and stores what is queued.</summary>
        public void Suspend()
        {
            if (_isSuspended || _isStopped) return;
            _isSuspended = true;
            _updater.Pause();
            _receipts.Pause();
            _events.Pause();
        }

        /// <summary>The game came back: refreshes at once.</summary>
        public void Resume()
        {
            if (!_isSuspended || _isStopped) return;
            _isSuspended = false;
            if (_isStarted) _updater.AskNow();
        }

        /// <summary>Ends everything. Pending tasks complete as failed in the next <see cref="Update"/>.</summary>
        public void Stop()
        {
            if (_isStopped) return;
            Leave(Codes.Stopped);
            _receipts.Pause();
            _isStopped = true;
            _subscriptions.Clear();
        }

        /// <summary>Takes in what the network brought, does what is due, completes tasks and calls listeners.</summary>
        public void Update()
        {
            // A listener may call it.
            if (_isUpdating) return;
            _isUpdating = true;
            try
            {
                _wire.Drain();
                if (_isStarted && !_isSuspended && !_isStopped) RunDue();
                _session.RunDeferred();
            }
            finally
            {
                _isUpdating = false;
            }
        }

        /// <summary>When the next <see cref="Update"/> has something to do even if nothing comes; in the clock's milliseconds.</summary>
        internal long DueAt
        {
            get
            {
                if (!_isStarted || _isSuspended || _isStopped) return Session.Never;
                long due = Math.Min(_startDeadline, _updater.DueAt);
                return _updater.IsKeyInvalid ? due : Math.Min(due, Math.Min(_events.DueAt, _receipts.DueAt));
            }
        }

        /// <summary>Whether a request is under way; a stream is none from the head of its response on.</summary>
        internal bool IsBusy
        {
            get { return _updater.IsBusy || _events.IsBusy || _receipts.IsBusy; }
        }

        internal bool HasWaitingCalls
        {
            get { return _starting != null || _refreshes.Count > 0; }
        }

        /// <summary>The server's complete configuration became the latest one.</summary>
        internal void OnComplete()
        {
            if (!_player.IsWaiting) return;
            if (_starting != null) _player.Apply(_player.Latest);
            else if (_session.AutoActivate) Activate();
            else Announce();
        }

        /// <summary>A refresh ended with a complete response.</summary>
        internal void OnRefreshed(bool isChanged)
        {
            CompleteStart(null);
            CompleteRefreshes(isChanged ? RefreshResult.Changed : RefreshResult.Unchanged);
        }

        /// <summary>The server cannot be used for now: those who wait for it learn the code.</summary>
        internal void OnFailed(string code)
        {
            CompleteStart(code);
            CompleteRefreshes(RefreshResult.Failed);
        }

        /// <summary>No request is sent any more, so exposures, metrics and receipts wait as well.</summary>
        internal void OnKeyInvalid()
        {
            _events.Pause();
            _receipts.Pause();
        }

        /// <summary>A failure that the game hears of.</summary>
        internal void ReportFailure(string code)
        {
            _session.Log(code, "The server cannot be used: " + code + ".");
            long sequence = _player.Active == null ? 0 : _player.Active.Sequence;
            Notify(new Notice(NoticeType.Failed, new string[0], sequence, code));
        }

        internal void OnTaken(Page page)
        {
            if (page.TakesEvents) _events.IsTaken = true;
        }

        private Task<StartResult> Begin(TimeSpan wait)
        {
            _isStarted = true;
            _player.Load();
            if (_player.HasRecovered && _player.FailedReceipt != null) _receipts.Add(_player.User, _player.FailedReceipt, false);
            _events.Load(_player);
            _updater.Begin(_player);
            if (wait <= TimeSpan.Zero) return Task.FromResult(ResultOf(null));
            _player.IsStarting = true;
            _starting = new TaskCompletionSource<StartResult>();
            _startDeadline = _session.Now + (long)Math.Min(wait.TotalMilliseconds, Session.DelayMsMax);
            return _starting.Task;
        }

        private void Leave(string code)
        {
            _updater.Pause();
            CompleteStart(code);
            CompleteRefreshes(RefreshResult.Failed);
            if (_isStarted) _player.Leave();
            _events.Pause();
        }

        private void RunDue()
        {
            if (_session.Now >= _startDeadline) CompleteStart(_updater.LastFailure ?? Codes.Timeout);
            _updater.Run();
            if (_updater.IsKeyInvalid) return;
            _events.Run();
            _receipts.Run();
        }

        private void CompleteStart(string failure)
        {
            if (_starting == null) return;
            TaskCompletionSource<StartResult> starting = _starting;
            StartResult result = ResultOf(failure);
            _starting = null;
            _player.IsStarting = false;
            _startDeadline = Session.Never;
            _session.Defer(() => starting.TrySetResult(result));
        }

        private void CompleteRefreshes(RefreshResult result)
        {
            foreach (TaskCompletionSource<RefreshResult> refresh in _refreshes)
            {
                TaskCompletionSource<RefreshResult> each = refresh;
                _session.Defer(() => each.TrySetResult(result));
            }
            _refreshes.Clear();
        }

        private StartResult ResultOf(string failure)
        {
            Configuration active = _player.Active;
            return active == null
                ? new StartResult(Source.Default, 0, _player.HasRecovered, failure)
                : new StartResult(active.Source, active.Sequence, _player.HasRecovered, failure);
        }

        private void Announce()
        {
            if (!_player.BeginsToWait()) return;
            Configuration latest = _player.Latest;
            Notify(new Notice(NoticeType.Waiting, Configuration.Differences(_player.Active, latest), latest.Sequence, null));
        }

        private void Notify(Notice notice)
        {
            foreach (Subscription subscription in _subscriptions)
            {
                Subscription each = subscription;
                _session.Defer(() => each.Call(notice));
            }
        }

        private bool Find(string id, string pointer, out JsonValue value)
        {
            value = default(JsonValue);
            return id != null && pointer != null && _player.Active != null
                && _player.Active.Contents.TryGetValue(id, out Content content)
                && new JsonValue(content.Data).TryFind(pointer, out value);
        }

        private ConfigValue<T> Found<T>(T value)
        {
            return new ConfigValue<T>(value, _player.Active.Source, _player.IsPastChange);
        }

        private ConfigValue<T> Missing<T>(T defaultValue)
        {
            return new ConfigValue<T>(defaultValue, Source.Default, _player.IsPastChange);
        }
    }

    /// <summary>Options of a <see cref="Client"/>. <see cref="Url"/> and <see cref="Key"/> are required.</summary>
    public sealed class ClientOptions
    {
        /// <summary>Address of the delivery port: <c>https://config.example.com</c>.</summary>
        public string Url { get; set; }

        /// <summary>API key of the environment.</summary>
        public string Key { get; set; }

        /// <summary>An account, or a random id that the game keeps. Places the player in A/B tests.</summary>
        public string User { get; set; } = "";

        /// <summary>Attributes for targeting; read in the constructor of the client.</summary>
        public Attributes Attributes { get; set; }

        /// <summary>Version of the app, X.Y.Z; null: none.</summary>
        public string AppVersion { get; set; }

        /// <summary>Content ids that the game wants; null: all.</summary>
        public IEnumerable<string> Ids { get; set; }

        /// <summary>Text that <c>loadout export --baseline</c> wrote; null: none.</summary>
        public string Baseline { get; set; }

        /// <summary>Where configurations are kept; null: in memory only.</summary>
        public IStorage Storage { get; set; } = FileStorage.OfThisGame();

        /// <summary>How the client learns of changes after the start.</summary>
        public Updates Updates { get; set; } = Updates.Stream;

        /// <summary>Between polls where there is no stream, in seconds.</summary>
        public double PollSeconds { get; set; } = 300;

        /// <summary>Applies each configuration as it arrives; for tools.</summary>
        public bool AutoActivate { get; set; }

        /// <summary>Exposures and metric events are dropped until <see cref="Client.SetConsent"/> allows them.</summary>
        public bool ConsentRequired { get; set; }

        /// <summary>Called with a stable code and a sentence for people, inside <see cref="Client.Update"/>.</summary>
        public Action<string, string> Log { get; set; }

        /// <summary>Null: the platform's.</summary>
        public ITransport Transport { get; set; }

        /// <summary>Null: the device's.</summary>
        public IClock Clock { get; set; }

        /// <summary>Returns 0 to 1, for delays; null: <see cref="System.Random"/>.</summary>
        public Func<double> Random { get; set; }
    }

    /// <summary>How a client learns of changes after its start.</summary>
    public enum Updates
    {
        /// <summary>A stream; polls where there is none.</summary>
        Stream,

        /// <summary>Polls.</summary>
        Poll,

        /// <summary>Only when the game calls <see cref="Client.RefreshAsync"/>.</summary>
        None,
    }

    /// <summary>Where a value came from.</summary>
    public enum Source
    {
        /// <summary>The caller's default.</summary>
        Default,

        /// <summary>The server, in this run.</summary>
        Server,

        /// <summary>The storage, from an earlier run.</summary>
        Cache,

        /// <summary>The baseline that was shipped with the game.</summary>
        Baseline,
    }

    /// <summary>A value of the active configuration, or the default. Converts to <typeparamref name="T"/> by itself.</summary>
    public struct ConfigValue<T>
    {
        private readonly T _value;
        private readonly Source _source;
        private readonly bool _isPastChange;

        internal ConfigValue(T value, Source source, bool isPastChange)
        {
            _value = value;
            _source = source;
            _isPastChange = isPastChange;
        }

        /// <summary>The value itself.</summary>
        public static implicit operator T(ConfigValue<T> value)
        {
            return value._value;
        }

        /// <summary>The value itself.</summary>
        public T Value
        {
            get { return _value; }
        }

        /// <summary>Where it came from.</summary>
        public Source Source
        {
            get { return _source; }
        }

        /// <summary>An offer may have ended since the server was asked: do not sell it.</summary>
        public bool IsPastChange
        {
            get { return _isPastChange; }
        }
    }

    /// <summary>How a start ended.</summary>
    public sealed class StartResult
    {
        internal StartResult(Source source, long sequence, bool recovered, string failure)
        {
            Source = source;
            Sequence = sequence;
            Recovered = recovered;
            Failure = failure;
        }

        /// <summary>Where the active configuration came from; <see cref="Loadout.Source.Default"/>: there is none.</summary>
        public Source Source { get; }

        /// <summary>Of the active configuration; 0: there is none.</summary>
        public long Sequence { get; }

        /// <summary>The run before applied a configuration and never called <see cref="Client.Ready"/>.</summary>
        public bool Recovered { get; }

        /// <summary>Code of what kept the client from the server's configuration; null: nothing did, or it did not wait.</summary>
        public string Failure { get; }
    }

    /// <summary>How a refresh ended.</summary>
    public enum RefreshResult
    {
        /// <summary>The server gave another configuration.</summary>
        Changed,

        /// <summary>What the client has is up to date.</summary>
        Unchanged,

        /// <summary>The server could not be used.</summary>
        Failed,
    }

    /// <summary>What a <see cref="Notice"/> is about.</summary>
    public enum NoticeType
    {
        /// <summary>A configuration waits for <see cref="Client.Activate"/>.</summary>
        Waiting,

        /// <summary>A configuration was applied.</summary>
        Activated,

        /// <summary>The server cannot be used for now.</summary>
        Failed,
    }

    /// <summary>What a listener is called with.</summary>
    public sealed class Notice
    {
        internal Notice(NoticeType type, string[] ids, long sequence, string code)
        {
            Type = type;
            Ids = ids;
            Sequence = sequence;
            Code = code;
        }

        /// <summary>What happened.</summary>
        public NoticeType Type { get; }

        /// <summary>Ids of the content items that differ, sorted.</summary>
        public IReadOnlyList<string> Ids { get; }

        /// <summary>Of the configuration that waits or was applied; of the active one if the server cannot be used.</summary>
        public long Sequence { get; }

        /// <summary>Code of a failure; null otherwise.</summary>
        public string Code { get; }
    }

    /// <summary>
    /// Attributes of a player, for targeting: <c>new Attributes { { "level", 3 }, { "country", "CA" } }</c>. Of a repeated
    /// name the last one counts.
    /// </summary>
    public sealed class Attributes : IEnumerable<KeyValuePair<string, string>>
    {
        private readonly Dictionary<string, string> _texts = new Dictionary<string, string>(StringComparer.Ordinal);

        /// <summary>Adds a boolean.</summary>
        public void Add(string name, bool value)
        {
            Put(name, value ? "true" : "false");
        }

        /// <summary>Adds an integer.</summary>
        public void Add(string name, long value)
        {
            Put(name, value.ToString(CultureInfo.InvariantCulture));
        }

        /// <summary>Adds a number; null in its place if it is not finite.</summary>
        public void Add(string name, double value)
        {
            Put(name, JsonText.IsFinite(value) ? JsonText.Number(value) : "null");
        }

        /// <summary>Adds a string, or null.</summary>
        public void Add(string name, string value)
        {
            Put(name, value == null ? "null" : JsonText.Quote(value));
        }

        /// <summary>Adds any JSON value, as its text.</summary>
        /// <returns>False if the text is not JSON; nothing is added then.</returns>
        public bool AddJson(string name, string json)
        {
            if (json == null || !JsonValue.TryParse(json, out JsonValue value)) return false;
            Put(name, value.Raw);
            return true;
        }

        /// <summary>Names, each with the JSON text of its value.</summary>
        public IEnumerator<KeyValuePair<string, string>> GetEnumerator()
        {
            return _texts.GetEnumerator();
        }

        IEnumerator IEnumerable.GetEnumerator()
        {
            return _texts.GetEnumerator();
        }

        internal string ToJson()
        {
            var json = new StringBuilder("{");
            foreach (KeyValuePair<string, string> each in _texts) JsonText.Member(json, each.Key, each.Value);
            return json.Append('}').ToString();
        }

        private void Put(string name, string text)
        {
            if (name != null) _texts[name] = text;
        }
    }

    /// <summary>
    /// Keeps texts by name, and replaces each whole or not at all. What a method throws is logged once, and otherwise ignored.
    /// </summary>
    public interface IStorage
    {
        /// <summary>The text, or null if there is none.</summary>
        string GetItem(string name);

        /// <summary>Replaces the text.</summary>
        void SetItem(string name, string text);

        /// <summary>Removes the text if there is one.</summary>
        void RemoveItem(string name);
    }

    /// <summary>The time of the device, read on any thread.</summary>
    public interface IClock
    {
        /// <summary>Milliseconds since 1970 in UTC; may jump when the user sets the clock.</summary>
        long UtcMilliseconds { get; }

        /// <summary>Milliseconds since any moment; never goes back.</summary>
        long Milliseconds { get; }
    }

    /// <summary>Sends requests. A game with an HTTP client of its own writes one.</summary>
    public interface ITransport
    {
        /// <summary>Whether <see cref="ITransportSink.Bytes"/> is called while the response still comes.</summary>
        bool CanStream { get; }

        /// <summary>Begins a request, without following redirects, and reports what comes to the sink, on any thread.</summary>
        ITransportCall Send(TransportRequest request, ITransportSink sink);
    }

    /// <summary>A request that was begun.</summary>
    public interface ITransportCall
    {
        /// <summary>Ends it and closes its connection. What it still reports is ignored.</summary>
        void Cancel();
    }

    /// <summary>What comes of a request: a head, any number of bytes, then the end; an error at any time.</summary>
    public interface ITransportSink
    {
        /// <summary>The head of the response.</summary>
        void Head(ResponseHead head);

        /// <summary>Bytes of the body, decompressed. They are copied.</summary>
        void Bytes(byte[] buffer, int offset, int count);

        /// <summary>The body is complete.</summary>
        void End();

        /// <summary>The connection failed.</summary>
        void Error(string message);
    }

    /// <summary>A request to the server.</summary>
    public sealed class TransportRequest
    {
        internal TransportRequest(string url, KeyValuePair<string, string>[] headers, byte[] body)
        {
            Url = url;
            Headers = headers;
            Body = body;
        }

        /// <summary><c>POST</c>.</summary>
        public string Method
        {
            get { return "POST"; }
        }

        /// <summary>The whole address.</summary>
        public string Url { get; }

        /// <summary>Names and values, <c>Content-Type</c> among them.</summary>
        public IReadOnlyList<KeyValuePair<string, string>> Headers { get; }

        /// <summary>UTF-8.</summary>
        public byte[] Body { get; }
    }

    /// <summary>The head of a response: its status, and those headers that a client needs; null for one that is absent.</summary>
    public sealed class ResponseHead
    {
        /// <summary>Of a response with this status.</summary>
        public ResponseHead(int status, string contentType, string retryAfter, string date)
        {
            Status = status;
            ContentType = contentType;
            RetryAfter = retryAfter;
            Date = date;
        }

        /// <summary>200 and so on.</summary>
        public int Status { get; }

        /// <summary><c>Content-Type</c>.</summary>
        public string ContentType { get; }

        /// <summary><c>Retry-After</c>.</summary>
        public string RetryAfter { get; }

        /// <summary><c>Date</c>.</summary>
        public string Date { get; }
    }

    /// <summary>Codes that the kit itself gives; the others are those of the server.</summary>
    internal static class Codes
    {
        public const string Network = "network";
        public const string Timeout = "timeout";
        public const string Garbage = "garbage";
        public const string Stale = "stale";
        public const string Stopped = "stopped";
        public const string Abandoned = "abandoned";
        public const string InvalidKey = "invalid_api_key";
        public const string SequenceNotReached = "sequence_not_reached";
    }

    /// <summary>A listener, until it is disposed.</summary>
    internal sealed class Subscription : IDisposable
    {
        private readonly List<Subscription> _all;
        private Action<Notice> _listener;

        public Subscription(List<Subscription> all, Action<Notice> listener)
        {
            _all = all;
            _listener = listener;
        }

        public void Call(Notice notice)
        {
            Action<Notice> listener = _listener;
            if (listener != null) listener(notice);
        }

        public void Dispose()
        {
            _listener = null;
            _all.Remove(this);
        }
    }

    /// <summary>
    /// What the parts of one client share: its options, the time, chance, the log, and calls that wait for the end of Update.
    /// </summary>
    internal sealed class Session
    {
        public const long Never = long.MaxValue;

        /// <summary>Longer than any game runs; a sum with it stays far from overflow.</summary>
        public const double DelayMsMax = 1e12;

        public readonly string Url;
        public readonly string Key;
        public readonly string AppVersion;
        public readonly List<string> Ids;
        public readonly Configuration Baseline;
        public readonly Updates Updates;
        public readonly double PollSeconds;
        public readonly bool AutoActivate;
        public readonly IStorage Storage;
        public readonly ITransport Transport;
        public string AttributesJson;
        private readonly HashSet<string> _wanted;
        private readonly IClock _clock;
        private readonly Func<double> _random;
        private readonly Action<string, string> _log;
        private readonly Queue<Action> _deferred = new Queue<Action>();
        private bool _hasStorageFailed;

        public Session(ClientOptions options)
        {
            if (options == null) throw new ArgumentNullException(nameof(options));
            OptionRules.Check(options);
            Url = options.Url.TrimEnd('/');
            Key = options.Key;
            AppVersion = options.AppVersion;
            Ids = options.Ids == null ? null : new List<string>(options.Ids);
            _wanted = Ids == null ? null : new HashSet<string>(Ids, StringComparer.OrdinalIgnoreCase);
            Updates = options.Updates;
            PollSeconds = options.PollSeconds;
            AutoActivate = options.AutoActivate;
            Storage = options.Storage;
            AttributesJson = options.Attributes == null ? "{}" : options.Attributes.ToJson();
            Transport = options.Transport ?? DefaultTransport.Create();
            _clock = options.Clock ?? new SystemClock();
            _random = options.Random ?? new Random().NextDouble;
            _log = options.Log;
            Baseline = ReadBaseline(options.Baseline);
        }

        public long Now
        {
            get { return _clock.Milliseconds; }
        }

        public long WallMs
        {
            get { return _clock.UtcMilliseconds; }
        }

        /// <summary>0 to 1, even if the game's source of chance fails.</summary>
        public double Random()
        {
            try
            {
                double drawn = _random();
                return drawn >= 0 && drawn <= 1 ? drawn : 0.5;
            }
            catch (Exception)
            {
                return 0.5;
            }
        }

        public void Log(string code, string sentence)
        {
            if (_log != null) Defer(() => _log(code, sentence));
        }

        /// <summary>Runs at the end of Update, when the client is in order again; what it throws is ignored.</summary>
        public void Defer(Action action)
        {
            _deferred.Enqueue(action);
        }

        /// <summary>What these calls defer in their turn waits for the next Update.</summary>
        public void RunDeferred()
        {
            for (int count = _deferred.Count; count > 0; count -= 1)
            {
                Action action = _deferred.Dequeue();
                try
                {
                    action();
                }
                catch (Exception)
                {
                    // A listener or log function of the game failed; nothing here depends on it.
                }
            }
        }

        public void StorageFailed(string message)
        {
            if (_hasStorageFailed) return;
            _hasStorageFailed = true;
            Log("storage_failed", "The storage failed, so nothing is kept for the next run: " + message);
        }

        public bool Wants(string id)
        {
            return _wanted == null || _wanted.Contains(id);
        }

        private Configuration ReadBaseline(string text)
        {
            if (text == null) return null;
            Configuration baseline = Configuration.FromBaseline(text);
            if (baseline == null)
            {
                Log("baseline_invalid", "The baseline cannot be read and does not count.");
            }
            else if (baseline.AppVersion != AppVersion)
            {
                Log("baseline_version", "The baseline was exported for another app version: " + (baseline.AppVersion ?? "none") + ".");
            }
            return baseline;
        }
    }

    /// <summary>What makes options wrong.</summary>
    internal static class OptionRules
    {
        public static void Check(ClientOptions options)
        {
            if (!Uri.TryCreate(options.Url, UriKind.Absolute, out Uri url) || (url.Scheme != "http" && url.Scheme != "https"))
            {
                throw new ArgumentException("Url is the address of the delivery port, with http:// or https://.");
            }
            if (string.IsNullOrEmpty(options.Key) || !IsPrintable(options.Key)) throw new ArgumentException("Key is an API key.");
            if (options.AppVersion != null && !IsVersion(options.AppVersion))
            {
                throw new ArgumentException("AppVersion is X.Y.Z, 1 to 9 digits each.");
            }
            if (!(options.PollSeconds >= 1 && options.PollSeconds <= 1e9)) throw new ArgumentException("PollSeconds is 1 or more.");
            if (options.Updates < Updates.Stream || options.Updates > Updates.None)
            {
                throw new ArgumentException("Updates is Stream, Poll or None.");
            }
            if (options.Ids != null) CheckIds(options.Ids);
        }

        private static void CheckIds(IEnumerable<string> given)
        {
            var ids = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
            foreach (string id in given)
            {
                if (string.IsNullOrEmpty(id)) throw new ArgumentException("Ids has an empty id.");
                if (!ids.Add(id)) throw new ArgumentException("Ids names " + id + " twice.");
            }
        }

        private static bool IsPrintable(string text)
        {
            foreach (char each in text)
            {
                if (each <= ' ' || each > '~') return false;
            }
            return true;
        }

        private static bool IsVersion(string text)
        {
            string[] parts = text.Split('.');
            if (parts.Length != 3) return false;
            foreach (string part in parts)
            {
                if (part.Length < 1 || part.Length > 9) return false;
                foreach (char digit in part)
                {
                    if (digit < '0' || digit > '9') return false;
                }
            }
            return true;
        }
    }

    /// <summary>A content item as delivered to one player.</summary>
    internal sealed class Content
    {
        public readonly string Id;

        /// <summary>Valid JSON.</summary>
        public readonly string Data;
        public readonly string Hash;
        public readonly string Tag;
        public readonly string Crc;

        /// <summary>JSON text of an array.</summary>
        public readonly string Seg;

        private Content(string id, string data, string hash, string tag, string crc, string seg)
        {
            Id = id;
            Data = data;
            Hash = hash;
            Tag = tag;
            Crc = crc;
            Seg = seg;
        }

        /// <summary>Null if a member is missing or <c>crc</c> is not that of <c>data</c>.</summary>
        /// <param name="id">Of the content item.</param>
        /// <param name="entry">A member of <c>contents</c>: of a response, a baseline or a slot.</param>
        /// <param name="isWrapped">As in a response: <c>seg</c> is in <c>meta</c>, and <c>data</c> is JSON, not a string of its text.</param>
        public static Content Read(string id, JsonValue entry, bool isWrapped)
        {
            JsonValue[] members = entry.Pick("data", "hash", "tag", "crc", isWrapped ? "meta" : "seg");
            JsonValue seg = members[4];
            string text;
            if (!members[1].TryString(out string hash) || !members[2].TryString(out string tag)) return null;
            if (!members[3].TryString(out string crc)) return null;
            if (isWrapped)
            {
                text = members[0].Raw;
                seg = seg.Pick("seg")[0];
            }
            else
            {
                if (!members[0].TryString(out text) || !JsonValue.TryParse(text, out JsonValue data)) return null;
            }
            if (!seg.IsArray || Crc32.Hex(text) != crc) return null;
            return new Content(id, text, hash, tag, crc, seg.Raw);
        }

        public void Write(StringBuilder json)
        {
            var entry = new StringBuilder("{", Data.Length + 128);
            JsonText.Member(entry, "data", JsonText.Quote(Data));
            JsonText.Member(entry, "hash", JsonText.Quote(Hash));
            JsonText.Member(entry, "tag", JsonText.Quote(Tag));
            JsonText.Member(entry, "crc", JsonText.Quote(Crc));
            JsonText.Member(entry, "seg", Seg);
            JsonText.Member(json, Id, entry.Append('}').ToString());
        }

        /// <summary>The members of <c>contents</c> by id without case; null if one is damaged.</summary>
        public static Dictionary<string, Content> ReadAll(JsonValue contents, bool isWrapped)
        {
            var read = new Dictionary<string, Content>(StringComparer.OrdinalIgnoreCase);
            JsonMembers members = contents.Members();
            while (members.MoveNext())
            {
                string id = members.Name;
                Content content = Read(id, members.Value, isWrapped);
                if (content == null) return null;
                read[id] = content;
            }
            return read;
        }
    }

    /// <summary>Everything that one player gets, all of one sequence.</summary>
    internal sealed class Configuration
    {
        /// <summary>By id, without case. Never changed.</summary>
        public readonly Dictionary<string, Content> Contents;

        /// <summary>Equal for the same content items with the same tags.</summary>
        public readonly string Fingerprint;
        public string Store;
        public long Sequence;

        public string AppVersion;

        /// <summary>JSON text; null: the server wants none.</summary>
        public string Receipt;
        public Source Source;

        /// <summary>Number of the slot that has it; -1: none.</summary>
        public int Slot = -1;
        private string _changesAt;

        public Configuration(Dictionary<string, Content> contents)
        {
            Contents = contents;
            Fingerprint = FingerprintOf(contents);
        }

        /// <summary>As delivered; null: the clock changes nothing.</summary>
        public string ChangesAt
        {
            get
            {
                return _changesAt;
            }

            set
            {
                _changesAt = value;
                ChangesAtMs = Instant.TryParse(value, out long ms) ? ms : Session.Never;
            }
        }

        /// <summary>Since 1970; <see cref="Session.Never"/> without <see cref="ChangesAt"/>.</summary>
        public long ChangesAtMs { get; private set; } = Session.Never;

        /// <summary>Null if the text is no baseline.</summary>
        public static Configuration FromBaseline(string text)
        {
            if (!JsonValue.TryParse(text, out JsonValue root)) return null;
            JsonValue[] members = root.Pick("format", "store", "sequence", "appVersion", "contents");
            if (!members[0].TryInteger(out long format) || format != 1 || !members[1].TryString(out string store)) return null;
            if (!members[2].TryInteger(out long sequence) || !members[4].IsObject) return null;
            Dictionary<string, Content> read = Content.ReadAll(members[4], false);
            if (read == null) return null;
            members[3].TryString(out string appVersion);
            return new Configuration(read)
            {
                Store = store,
                Sequence = sequence,
                AppVersion = appVersion,
                Source = Source.Baseline,
            };
        }

        /// <summary>Ids of the content items that differ, in lower case, sorted.</summary>
        public static string[] Differences(Configuration one, Configuration other)
        {
            var ids = new List<string>();
            AddDifferences(one, other, ids);
            AddDifferences(other, one, ids);
            ids.Sort(StringComparer.Ordinal);
            for (int at = ids.Count - 1; at > 0; at -= 1)
            {
                if (ids[at] == ids[at - 1]) ids.RemoveAt(at);
            }
            return ids.ToArray();
        }

        public bool IsSameAs(Configuration other)
        {
            return other != null && other.Fingerprint == Fingerprint;
        }

        private static void AddDifferences(Configuration from, Configuration to, List<string> ids)
        {
            if (from == null) return;
            foreach (KeyValuePair<string, Content> each in from.Contents)
            {
                bool isSame = to != null && to.Contents.TryGetValue(each.Key, out Content there) && there.Tag == each.Value.Tag;
                if (!isSame) ids.Add(each.Key.ToLowerInvariant());
            }
        }

        private static string FingerprintOf(Dictionary<string, Content> contents)
        {
            var lines = new List<string>(contents.Count);
            foreach (KeyValuePair<string, Content> each in contents)
            {
                lines.Add(each.Key.ToLowerInvariant() + ":" + each.Value.Tag + "\n");
            }
            lines.Sort(StringComparer.Ordinal);
            return Crc32.Hex(string.Concat(lines));
        }
    }

    /// <summary>
    /// One player's configurations: the active, the latest and the confirmed one, and the record of those that failed. What
    /// must survive the run is written before it takes effect.
    /// </summary>
    internal sealed class Player
    {
        private const int SkipMax = 8;

        /// <summary>Smaller changes of the difference to the server's clock come from the seconds of <c>Date</c>.</summary>
        private const long ClockStepMs = 2000;

        public readonly string User;
        public readonly Vault Vault;
        public Configuration Latest;
        public Configuration Active;

        /// <summary>What came of the server, pages of an interrupted refresh included; null: as <see cref="Latest"/>.</summary>
        public Dictionary<string, Content> Held;
        public bool HasRecovered;
        public string FailedReceipt;

        /// <summary><c>Start</c> or <c>SetUser</c> has not completed.</summary>
        public bool IsStarting;
        private readonly Session _session;
        private Configuration _confirmed;
        private Configuration _latestStored;
        private Configuration _confirmedStored;
        private bool _isLatestGiven;
        private string _announced;
        private string _trying;
        private string _failed;
        private long _failures;
        private long _skip;
        private bool _keepsAway;
        private long _clockDifference;

        public Player(Session session, string user)
        {
            _session = session;
            User = user;
            Vault = new Vault(session, user);
        }

        /// <summary>Whether the latest configuration waits.</summary>
        public bool IsWaiting
        {
            get
            {
                if (Latest == null || !_isLatestGiven || Latest.IsSameAs(Active)) return false;
                return !_keepsAway || Latest.Fingerprint != _failed;
            }
        }

        public bool IsPastChange
        {
            get { return Active != null && CorrectedMs >= Active.ChangesAtMs; }
        }

        /// <summary>The server's time, as far as it is known.</summary>
        public long CorrectedMs
        {
            get { return _session.WallMs + _clockDifference; }
        }

        /// <summary>Reads what is stored and applies what can be trusted most.</summary>
        public void Load()
        {
            Vault.Touch();
            StoredState state = Vault.ReadState();
            if (state != null) Take(state);
            Apply(Choose());
        }

        /// <summary>The mark is written before the configuration is applied that may crash the game.</summary>
        public void Apply(Configuration configuration)
        {
            bool isSafe = configuration == null || configuration.IsSameAs(_confirmed) || configuration.IsSameAs(_session.Baseline);
            _trying = isSafe ? null : configuration.Fingerprint;
            Save();
            Active = configuration;
        }

        /// <summary>The complete configuration that the server gives, which becomes the latest one.</summary>
        /// <returns>Whether it is another one than before.</returns>
        public bool Adopt(Configuration given)
        {
            bool isChanged = !given.IsSameAs(Latest);
            Configuration twin = given.IsSameAs(Latest) ? Latest : given.IsSameAs(_confirmed) ? _confirmed : null;
            given.Slot = twin == null ? WriteSlot(given) : twin.Slot;
            // One that comes too late for this start says nothing of it, whether anything differs or not.
            if (!IsStarting || given.Receipt == null) given.Receipt = twin == null ? null : twin.Receipt;
            if (_failed != null && given.Fingerprint != _failed) ForgetFailure();
            Latest = given;
            _isLatestGiven = true;
            if (given.Slot >= 0) _latestStored = given;
            if (given.IsSameAs(Active)) Active = given;
            if (given.IsSameAs(_confirmed)) _confirmed = given;
            if (given.Slot >= 0 && given.IsSameAs(_confirmedStored)) _confirmedStored = given;
            if (isChanged) _announced = null;
            Save();
            return isChanged;
        }

        /// <summary>Whether the latest configuration waits and was not announced yet.</summary>
        public bool BeginsToWait()
        {
            if (!IsWaiting || _announced == Latest.Fingerprint) return false;
            _announced = Latest.Fingerprint;
            return true;
        }

        /// <summary>The game works with the active configuration.</summary>
        /// <returns>The receipt to send; null: none.</returns>
        public string Confirm()
        {
            if (Active == null) return null;
            string receipt = Active.Receipt;
            Active.Receipt = null;
            if (_trying == null && receipt == null && Active.IsSameAs(_confirmed)) return null;
            _trying = null;
            if (Active.Fingerprint == _failed) ForgetFailure();
            if (!Active.IsSameAs(_session.Baseline))
            {
                if (Active.Slot < 0) Active.Slot = WriteSlot(Active);
                _confirmed = Active;
                if (Active.Slot >= 0) _confirmedStored = Active;
            }
            Save();
            return receipt;
        }

        /// <summary>The game goes on without this player, which is no crash.</summary>
        public void Leave()
        {
            _trying = null;
            Save();
        }

        public void SetServerTime(long differenceMs)
        {
            if (Math.Abs(differenceMs - _clockDifference) >= ClockStepMs) _clockDifference = differenceMs;
        }

        private void Take(StoredState state)
        {
            Latest = _latestStored = state.Latest;
            _confirmed = _confirmedStored = state.Confirmed;
            _failed = state.Failed;
            _failures = state.Failures;
            _skip = state.Skip;
            _clockDifference = state.ClockDifference;
            if (state.Trying != null) Fail(state.Trying);
            // Receipts are of the run in which they came.
            if (Latest != null) Latest.Receipt = null;
            if (_confirmed != null) _confirmed.Receipt = null;
            _keepsAway = _skip > 0;
            if (_skip > 0) _skip -= 1;
        }

        private void Fail(string fingerprint)
        {
            HasRecovered = true;
            _failures = _failed == fingerprint ? _failures + 1 : 1;
            _failed = fingerprint;
            _skip = _failures > 4 ? SkipMax : Math.Min(1L << (int)(_failures - 1), SkipMax);
            if (Latest != null && Latest.Fingerprint == fingerprint) FailedReceipt = Latest.Receipt;
            else if (_confirmed != null && _confirmed.Fingerprint == fingerprint) FailedReceipt = _confirmed.Receipt;
            _session.Log("recovered", "The run before crashed, or never called Ready: its configuration is set aside.");
        }

        private Configuration Choose()
        {
            Configuration baseline = _session.Baseline;
            Configuration chosen = Usable(Latest, false) ?? Usable(_confirmed, false);
            if (baseline != null)
            {
                if (chosen == null || (baseline.Store == chosen.Store && baseline.Sequence > chosen.Sequence)) return baseline;
            }
            return chosen ?? Usable(Latest, true) ?? Usable(_confirmed, true);
        }

        private Configuration Usable(Configuration configuration, bool isAnyVersion)
        {
            if (configuration == null || configuration.Fingerprint == _failed) return null;
            return isAnyVersion || configuration.AppVersion == _session.AppVersion ? configuration : null;
        }

        private void ForgetFailure()
        {
            _failed = null;
            _failures = 0;
            _skip = 0;
        }

        /// <summary>Into the slot that has neither the confirmed configuration nor, if there is a choice, the latest one.</summary>
        private int WriteSlot(Configuration configuration)
        {
            int slot = 0;
            if (_confirmedStored != null) slot = 1 - _confirmedStored.Slot;
            else if (_latestStored != null) slot = 1 - _latestStored.Slot;
            // What was active and not confirmed may have lost its slot to a later one; confirmed, it replaces the one before.
            if (configuration == Active && _latestStored != null) slot = 1 - _latestStored.Slot;
            if (!Vault.WriteSlot(slot, configuration.Contents)) return -1;
            if (_latestStored != null && _latestStored.Slot == slot) _latestStored = null;
            if (_confirmedStored != null && _confirmedStored.Slot == slot) _confirmedStored = null;
            if (Active != null && Active.Slot == slot) Active.Slot = -1;
            return slot;
        }

        private void Save()
        {
            Vault.WriteState(new StoredState
            {
                Latest = _latestStored,
                Confirmed = _confirmedStored,
                Trying = _trying,
                Failed = _failed,
                Failures = _failures,
                Skip = _skip,
                ClockDifference = _clockDifference,
            });
        }
    }

    /// <summary>RFC 3339, and the dates of HTTP.</summary>
    internal static class Instant
    {
        private static readonly DateTime Epoch = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc);

        /// <param name="text">Null is no instant.</param>
        /// <param name="ms">Since 1970.</param>
        public static bool TryParse(string text, out long ms)
        {
            const DateTimeStyles Utc = DateTimeStyles.AssumeUniversal | DateTimeStyles.AllowWhiteSpaces;
            bool isInstant = DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, Utc, out DateTimeOffset parsed);
            ms = isInstant ? (long)(parsed.UtcDateTime - Epoch).TotalMilliseconds : 0;
            return isInstant;
        }

        public static bool IsInstant(string text)
        {
            return TryParse(text, out long ms);
        }

        public static string Format(long ms)
        {
            double bounded = Math.Max(-6e13, Math.Min(ms, 2.5e14));
            return Epoch.AddMilliseconds(bounded).ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
        }
    }

    /// <summary>What is stored of a player beside the slots.</summary>
    internal sealed class StoredState
    {
        public Configuration Latest;
        public Configuration Confirmed;
        public string Trying;
        public string Failed;
        public long Failures;
        public long Skip;
        public long ClockDifference;
    }

    /// <summary>The stored items of one player. What is damaged does not count; what the storage throws is logged once.</summary>
    internal sealed class Vault
    {
        private const string IndexName = "loadout-index";
        private const int PlayersMax = 8;
        private readonly Session _session;
        private readonly string _player;

        /// <summary>Tells players with the same CRC-32 apart.</summary>
        private readonly string _check;
        private string _stateWritten;

        public Vault(Session session, string user)
        {
            _session = session;
            string all = session.Url + "\n" + session.Key + "\n" + user;
            _player = Crc32.Hex(all);
            _check = Fnv1a.Hex(all);
        }

        /// <summary>Puts the player first in the index, and removes what falls off its end.</summary>
        public void Touch()
        {
            var players = new List<string> { _player };
            string text = Read(IndexName);
            if (text != null && JsonValue.TryParse(text, out JsonValue stored))
            {
                JsonElements elements = stored.Elements();
                while (elements.MoveNext())
                {
                    if (elements.Value.TryString(out string each) && !players.Contains(each)) players.Add(each);
                }
            }
            for (int at = PlayersMax; at < players.Count; at += 1) RemovePlayer(players[at]);
            if (players.Count > PlayersMax) players.RemoveRange(PlayersMax, players.Count - PlayersMax);
            string index = "[\"" + string.Join("\",\"", players.ToArray()) + "\"]";
            if (index != text) Write(IndexName, index);
        }

        /// <summary>Null if there is none that counts.</summary>
        public StoredState ReadState()
        {
            string text = Read(Name("state"));
            string check;
            if (text == null || !JsonValue.TryParse(text, out JsonValue root)) return null;
            JsonValue[] members = root.Pick("check", "latest", "confirmed", "trying", "failed", "failures", "skip", "clockDifferenceMs");
            if (!members[0].TryString(out check) || check != _check) return null;
            var state = new StoredState();
            state.Latest = ReadConfiguration(members[1], null);
            state.Confirmed = ReadConfiguration(members[2], state.Latest);
            members[3].TryString(out state.Trying);
            members[4].TryString(out state.Failed);
            members[5].TryInteger(out state.Failures);
            members[6].TryInteger(out state.Skip);
            members[7].TryInteger(out state.ClockDifference);
            return state;
        }

        public void WriteState(StoredState state)
        {
            var json = new StringBuilder("{");
            JsonText.Member(json, "check", JsonText.Quote(_check));
            JsonText.Member(json, "latest", Describe(state.Latest));
            JsonText.Member(json, "confirmed", Describe(state.Confirmed));
            JsonText.Member(json, "trying", JsonText.QuoteOrNull(state.Trying));
            JsonText.Member(json, "failed", JsonText.QuoteOrNull(state.Failed));
            JsonText.Member(json, "failures", JsonText.Number(state.Failures));
            JsonText.Member(json, "skip", JsonText.Number(state.Skip));
            JsonText.Member(json, "clockDifferenceMs", JsonText.Number(state.ClockDifference));
            string text = json.Append('}').ToString();
            if (text == _stateWritten) return;
            _stateWritten = Write(Name("state"), text) ? text : null;
        }

        public bool WriteSlot(int slot, Dictionary<string, Content> contents)
        {
            var json = new StringBuilder("{");
            foreach (Content content in contents.Values) content.Write(json);
            return Write(SlotName(slot), json.Append('}').ToString());
        }

        /// <summary>JSON text of the events that were not sent; null if there are none.</summary>
        public string ReadEvents()
        {
            return Read(Name("events"));
        }

        /// <param name="text">Null removes them.</param>
        public void WriteEvents(string text)
        {
            if (text == null) Remove(Name("events"));
            else Write(Name("events"), text);
        }

        private static string Describe(Configuration configuration)
        {
            if (configuration == null) return "null";
            var json = new StringBuilder("{");
            JsonText.Member(json, "slot", JsonText.Number(configuration.Slot));
            JsonText.Member(json, "fingerprint", JsonText.Quote(configuration.Fingerprint));
            JsonText.Member(json, "appVersion", JsonText.QuoteOrNull(configuration.AppVersion));
            JsonText.Member(json, "store", JsonText.Quote(configuration.Store));
            JsonText.Member(json, "sequence", JsonText.Number(configuration.Sequence));
            JsonText.Member(json, "changesAt", JsonText.QuoteOrNull(configuration.ChangesAt));
            JsonText.Member(json, "receipt", configuration.Receipt ?? "null");
            return json.Append('}').ToString();
        }

        private Configuration ReadConfiguration(JsonValue described, Configuration other)
        {
            JsonValue[] members = described.Pick("slot", "fingerprint", "store", "sequence", "appVersion", "changesAt", "receipt");
            if (!members[0].TryInteger(out long slot) || slot < 0 || slot > 1) return null;
            if (!members[1].TryString(out string fingerprint)) return null;
            if (other != null && other.Fingerprint == fingerprint) return other;
            if (!members[2].TryString(out string store) || !members[3].TryInteger(out long sequence)) return null;
            members[4].TryString(out string appVersion);
            members[5].TryString(out string changesAt);
            Configuration read = ReadSlot((int)slot);
            if (read == null || read.Fingerprint != fingerprint) return null;
            read.Slot = (int)slot;
            read.Store = store;
            read.Sequence = sequence;
            read.AppVersion = appVersion;
            read.ChangesAt = changesAt;
            read.Receipt = members[6].IsNull ? null : members[6].Raw;
            read.Source = Source.Cache;
            return read;
        }

        private Configuration ReadSlot(int slot)
        {
            string text = Read(SlotName(slot));
            if (text == null || !JsonValue.TryParse(text, out JsonValue contents) || !contents.IsObject) return null;
            Dictionary<string, Content> read = Content.ReadAll(contents, false);
            return read == null ? null : new Configuration(read);
        }

        private string Name(string item)
        {
            return "loadout-" + _player + "-" + item;
        }

        private string SlotName(int slot)
        {
            return Name(slot == 0 ? "0" : "1");
        }

        private void RemovePlayer(string player)
        {
            foreach (string item in new[] { "state", "0", "1", "events" }) Remove("loadout-" + player + "-" + item);
        }

        private string Read(string name)
        {
            string stored = null;
            try
            {
                stored = _session.Storage == null ? null : _session.Storage.GetItem(name);
            }
            catch (Exception error)
            {
                _session.StorageFailed(error.Message);
            }
            if (stored == null) return null;
            string text = Seal.Open(stored);
            if (text == null) _session.Log("item_damaged", "The item " + name + " is damaged, or of a later kit, and does not count.");
            return text;
        }

        private bool Write(string name, string text)
        {
            try
            {
                if (_session.Storage == null) return false;
                _session.Storage.SetItem(name, Seal.Close(text));
                return true;
            }
            catch (Exception error)
            {
                _session.StorageFailed(error.Message);
                return false;
            }
        }

        private void Remove(string name)
        {
            try
            {
                if (_session.Storage != null) _session.Storage.RemoveItem(name);
            }
            catch (Exception error)
            {
                _session.StorageFailed(error.Message);
            }
        }
    }

    /// <summary>The first line of a stored item: format, CRC-32 and length of the bytes behind it.</summary>
    internal static class Seal
    {
        private const string Format = "loadout 1 ";

        public static string Close(string text)
        {
            return HeadOf(text) + text;
        }

        /// <summary>Null if the text is damaged or of another format.</summary>
        public static string Open(string stored)
        {
            int end = stored.IndexOf('\n');
            if (end < 0 || !stored.StartsWith(Format, StringComparison.Ordinal)) return null;
            string text = stored.Substring(end + 1);
            return stored.StartsWith(HeadOf(text), StringComparison.Ordinal) ? text : null;
        }

        private static string HeadOf(string text)
        {
            string crc = Crc32.Hex(text, out long bytes);
            return Format + crc + " " + JsonText.Number(bytes) + "\n";
        }
    }

    /// <summary>Asks the server: when, how often, and what becomes of the responses and of the stream.</summary>
    internal sealed class Updater
    {
        private const int FailuresMax = 4;
        private const double BackoffSecondsMax = 300;
        private const double StreamBackoffSecondsMax = 60;
        private const int QuietStreamsMax = 2;
        private const int NotReachedMax = 2;
        private const long QuietMs = 60000;
        private const long RetryMsMax = 60000;
        private const long ClockEventMs = 60000;

        /// <summary>A refresh of pages has an end even if the server gives none: one page has one content item at least.</summary>
        private const int PagesMax = 10000;
        private readonly Session _session;
        private readonly Wire _wire;
        private readonly Client _client;
        private Player _player;

        private Gathering _gathering;
        private RequestExchange _request;
        private int _failures;
        private bool _isKeyInvalid;
        private long _retryAt = Session.Never;
        private long _pollAt = Session.Never;
        private long _notBefore;
        private long _adoptions;

        private string _seenStore;
        private long _seenSequence = -1;
        private int _notReached;
        private string _clockEvent;
        private long _clockEventUntil;

        private StreamExchange _stream;
        private long _streamAt = Session.Never;
        private long _quietAt = Session.Never;
        private int _streamFailures;
        private int _quietStreams;
        private bool _isStreamUnusable;

        public Updater(Session session, Wire wire, Client client)
        {
            _session = session;
            _wire = wire;
            _client = client;
            _isStreamUnusable = session.Updates != Updates.Stream || !session.Transport.CanStream;
        }

        /// <summary>Code of the last failed request, until one succeeds.</summary>
        public string LastFailure { get; private set; }

        public bool IsKeyInvalid
        {
            get { return _isKeyInvalid; }
        }

        public bool IsBusy
        {
            get { return _request != null || (_stream != null && !_stream.IsOpen); }
        }

        public long DueAt
        {
            get
            {
                long due = Math.Min(_quietAt, _request == null ? Math.Min(_retryAt, _pollAt) : _request.Deadline);
                return _stream == null ? Math.Min(due, _streamAt) : due;
            }
        }

        /// <summary>Asks for another player's configuration.</summary>
        public void Begin(Player player)
        {
            Pause();
            _player = player;
            _gathering = null;
            _failures = 0;
            LastFailure = null;
            _clockEvent = null;
            AskNow();
        }

        /// <summary>The request under way counts if there is one; <c>Retry-After</c> is kept.</summary>
        public void AskNow()
        {
            _isKeyInvalid = false;
            if (_request == null) _retryAt = Math.Max(_session.Now, _notBefore);
        }

        /// <summary>As <see cref="AskNow"/>, when what is under way was asked for other attributes.</summary>
        public void AskAgain()
        {
            if (_isKeyInvalid) return;
            Pause();
            AskNow();
        }

        /// <summary>Closes what is open, and stops all timers.</summary>
        public void Pause()
        {
            if (_request != null) _request.Abandon();
            _request = null;
            CloseStream();
            StopTimers();
        }

        public void Run()
        {
            long now = _session.Now;
            if (_request != null && now >= _request.Deadline) _request.Fail(Codes.Timeout);
            if (now >= _quietAt) OnQuiet();
            if (_request == null && now >= Math.Min(_retryAt, _pollAt)) Ask();
            if (_stream == null && now >= _streamAt) OpenStream();
        }

        private void StopTimers()
        {
            _retryAt = Session.Never;
            _pollAt = Session.Never;
            _streamAt = Session.Never;
        }

        private void Ask()
        {
            _retryAt = Session.Never;
            _pollAt = Session.Never;
            if (_gathering == null) _gathering = new Gathering(_player, _session);
            MarkAsked(_gathering);
            _request = new RequestExchange(_wire, OnReply);
            _request.Deadline = _session.Now + RequestExchange.LastsMsMax;
            _wire.Send(_request, "/api/v1/refresh", Body(_gathering), _gathering.AskedSequence);
        }

        private void OnReply(Reply reply)
        {
            _request = null;
            string failure = reply.Failure;
            bool isChanged = false;
            bool isComplete = false;
            if (failure == null)
            {
                Page page = Page.Read(reply.Text);
                failure = page == null ? Codes.Garbage : TakePage(_gathering, page, out isComplete, out isChanged);
            }
            if (failure != null)
            {
                OnFailure(reply, failure);
                return;
            }
            SetServerTime(reply.ServerDifference);
            _isKeyInvalid = false;
            _failures = 0;
            LastFailure = null;
            if (!isComplete)
            {
                _retryAt = _session.Now;
                return;
            }
            _gathering = null;
            SchedulePoll();
            if (!_isStreamUnusable && _stream == null && _streamAt == Session.Never) _streamAt = _session.Now;
            _client.OnRefreshed(isChanged);
        }

        private void OnFailure(Reply reply, string failure)
        {
            LastFailure = failure;
            CountNotReached(reply.Status, failure);
            if (reply.Status == 401)
            {
                OnInvalidKey(failure);
            }
            else if (reply.IsRejected)
            {
                _client.ReportFailure(failure);
                SchedulePoll();
                _client.OnFailed(failure);
            }
            else
            {
                _failures += 1;
                _notBefore = _session.Now + reply.RetryAfterMs;
                _retryAt = _notBefore + Backoff.DelayMs(_session, _failures, BackoffSecondsMax);
                if (_failures == FailuresMax) _client.ReportFailure(failure);
                if (_failures < FailuresMax) return;
                if (_session.Updates == Updates.None) _retryAt = Session.Never;
                _client.OnFailed(failure);
            }
        }

        private void OnInvalidKey(string failure)
        {
            LastFailure = failure;
            _isKeyInvalid = true;
            StopTimers();
            _client.OnKeyInvalid();
            _client.ReportFailure(failure);
            _client.OnFailed(failure);
        }

        private void CountNotReached(int status, string failure)
        {
            if (failure == Codes.SequenceNotReached) _notReached += 1;
            else if (status != 0 && _notReached < NotReachedMax) _notReached = 0;
        }

        /// <summary>The next poll, unless a stream is open; a retry comes before it.</summary>
        private void SchedulePoll()
        {
            _pollAt = Session.Never;
            bool isStreamOpen = _stream != null && _stream.IsOpen;
            if (_session.Updates == Updates.None || isStreamOpen || _isKeyInvalid || _retryAt != Session.Never) return;
            double delay = _session.PollSeconds * 1000 * (0.8 + 0.4 * _session.Random());
            if (_player.Latest != null && _player.Latest.ChangesAt != null)
            {
                // An instant that has passed when the response comes is no reason to ask again: that would not end.
                double left = _player.Latest.ChangesAtMs - _player.CorrectedMs;
                if (left > 0) delay = Math.Min(delay, left + 2000 + 1000 * _session.Random());
            }
            _pollAt = _session.Now + (long)delay;
        }

        private void MarkAsked(Gathering gathering)
        {
            bool isSent = _seenSequence >= 0 && _notReached < NotReachedMax;
            gathering.AskedStore = _seenStore;
            gathering.AskedSequence = isSent ? _seenSequence : -1;
            gathering.Adoptions = _adoptions;
        }

        private byte[] Body(Gathering gathering)
        {
            var json = new StringBuilder("{");
            JsonText.Member(json, "u", JsonText.Quote(_player.User));
            JsonText.Member(json, "p", _session.AttributesJson);
            if (_session.AppVersion != null) JsonText.Member(json, "v", JsonText.Quote(_session.AppVersion));
            JsonText.Member(json, "have", gathering.TagsJson());
            if (_session.Ids != null) JsonText.Member(json, "ids", JsonText.Array(_session.Ids));
            JsonText.Member(json, "bytesMax", "1048576");
            if (_clockEvent != null && _session.Now < _clockEventUntil) JsonText.Member(json, "at", JsonText.Quote(_clockEvent));
            return JsonText.Utf8.GetBytes(json.Append('}').ToString());
        }

        /// <summary>Adds a page to what was gathered; with the last one the whole becomes the latest configuration.</summary>
        /// <returns>The code of a failure, or null.</returns>
        private string TakePage(Gathering gathering, Page page, out bool isComplete, out bool isChanged)
        {
            isChanged = false;
            isComplete = !page.HasMore;
            if (page.Store == gathering.AskedStore && page.Sequence < gathering.AskedSequence && isComplete) return Codes.Stale;
            bool isProgress = gathering.Add(page);
            _client.OnTaken(page);
            if (!isComplete)
            {
                if (!isProgress || gathering.Pages > PagesMax) return Codes.Garbage;
                _player.Held = gathering.Contents;
                See(page);
                return null;
            }
            gathering.Pages = 0;
            // What a stream or a refresh brought meanwhile may be newer than this.
            Configuration latest = _player.Latest;
            bool isOvertaken = gathering.Adoptions != _adoptions && latest.Store == page.Store && page.Sequence < latest.Sequence;
            if (isOvertaken) return null;
            See(page);
            var given = new Configuration(gathering.Copy())
            {
                Store = page.Store,
                Sequence = page.Sequence,
                ChangesAt = page.ChangesAt,
                AppVersion = _session.AppVersion,
                Receipt = page.Receipt,
                Source = Source.Server,
            };
            isChanged = _player.Adopt(given);
            _player.Held = null;
            _adoptions += 1;
            gathering.Adoptions = _adoptions;
            _client.OnComplete();
            return null;
        }

        private void See(Page page)
        {
            _seenStore = page.Store;
            _seenSequence = page.Sequence;
            _notReached = 0;
        }

        private void SetServerTime(long? difference)
        {
            if (difference.HasValue) _player.SetServerTime(difference.Value);
        }

        private void OpenStream()
        {
            _streamAt = Session.Never;
            var gathering = new Gathering(_player, _session);
            MarkAsked(gathering);
            _stream = new StreamExchange(_wire, this, gathering);
            _quietAt = _session.Now + QuietMs;
            _wire.Send(_stream, "/api/v1/stream", Body(gathering), gathering.AskedSequence);
        }

        private void CloseStream()
        {
            if (_stream != null) _stream.Abandon();
            _stream = null;
            _quietAt = Session.Never;
        }

        internal void OnStreamOpen(long? difference)
        {
            SetServerTime(difference);
            _pollAt = Session.Never;
        }

        internal void OnStreamBytes()
        {
            _quietAt = _session.Now + QuietMs;
        }

        /// <summary>An event of the stream.</summary>
        /// <returns>Whether it was one.</returns>
        internal bool OnStreamEvent(Gathering gathering, string data)
        {
            Page page = Page.Read(data);
            if (page == null || TakePage(gathering, page, out bool isComplete, out bool isChanged) != null) return false;
            _streamFailures = 0;
            if (page.At != null)
            {
                _clockEvent = page.At;
                _clockEventUntil = _session.Now + ClockEventMs;
            }
            return true;
        }

        /// <summary>The stream ended, failed, or was none.</summary>
        /// <param name="reply">What there is instead of a stream.</param>
        /// <param name="retryMs">When to come back, as the server said in the stream; -1: it did not.</param>
        internal void OnStreamEnd(Reply reply, long retryMs)
        {
            CloseStream();
            _quietStreams = 0;
            CountNotReached(reply.Status, reply.Failure);
            if (reply.Status == 401) OnInvalidKey(reply.Failure);
            else if (reply.IsRejected) GiveStreamsUp();
            else ScheduleStream(retryMs, reply.RetryAfterMs);
        }

        private void OnQuiet()
        {
            CloseStream();
            _quietStreams += 1;
            if (_quietStreams >= QuietStreamsMax) GiveStreamsUp();
            else ScheduleStream(-1, 0);
        }

        private void ScheduleStream(long retryMs, long retryAfterMs)
        {
            if (_isKeyInvalid) return;
            _streamFailures += 1;
            long delay = retryMs >= 0
                ? Math.Min(retryMs, RetryMsMax)
                : retryAfterMs + Backoff.DelayMs(_session, _streamFailures, StreamBackoffSecondsMax);
            _streamAt = _session.Now + delay;
            if (_pollAt == Session.Never) SchedulePoll();
        }

        private void GiveStreamsUp()
        {
            _isStreamUnusable = true;
            _session.Log("stream_unusable", "Streams do not work here: polls for the rest of the run.");
            SchedulePoll();
        }
    }

    /// <summary>Full jitter.</summary>
    internal static class Backoff
    {
        /// <summary>0 to 2^(failures - 1) seconds.</summary>
        public static long DelayMs(Session session, int failures, double secondsMax)
        {
            double most = Math.Min(Math.Pow(2, failures - 1), secondsMax);
            return (long)(session.Random() * most * 1000);
        }
    }

    /// <summary>What a refresh or a stream has brought together so far, from what the player held when it began.</summary>
    internal sealed class Gathering
    {
        /// <summary>By id, without case.</summary>
        public readonly Dictionary<string, Content> Contents;
        public string AskedStore;

        /// <summary>-1: none.</summary>
        public long AskedSequence = -1;

        /// <summary>How many configurations had become the latest when the server was asked.</summary>
        public long Adoptions;

        /// <summary>Since the last complete one.</summary>
        public int Pages;

        public Gathering(Player player, Session session)
        {
            Configuration held = player.Latest ?? player.Active;
            Dictionary<string, Content> from = player.Held ?? (held == null ? null : held.Contents);
            Contents = new Dictionary<string, Content>(StringComparer.OrdinalIgnoreCase);
            if (from == null) return;
            foreach (KeyValuePair<string, Content> each in from)
            {
                if (session.Wants(each.Key)) Contents[each.Key] = each.Value;
            }
        }

        /// <returns>Whether it has a content item that was not held.</returns>
        public bool Add(Page page)
        {
            bool isProgress = false;
            Pages += 1;
            foreach (KeyValuePair<string, Content> each in page.Contents)
            {
                isProgress |= !Contents.TryGetValue(each.Key, out Content held) || held.Tag != each.Value.Tag;
                // The id is that of the response.
                Contents.Remove(each.Key);
                Contents.Add(each.Key, each.Value);
            }
            foreach (string id in page.Gone) Contents.Remove(id);
            return isProgress;
        }

        public Dictionary<string, Content> Copy()
        {
            return new Dictionary<string, Content>(Contents, StringComparer.OrdinalIgnoreCase);
        }

        public string TagsJson()
        {
            var json = new StringBuilder("{");
            foreach (KeyValuePair<string, Content> each in Contents)
            {
                JsonText.Member(json, each.Key, JsonText.Quote(each.Value.Tag));
            }
            return json.Append('}').ToString();
        }
    }

    /// <summary>A response to a refresh, or an event of a stream.</summary>
    internal sealed class Page
    {
        public string Store;
        public long Sequence;
        public string ChangesAt;
        public Dictionary<string, Content> Contents;
        public List<string> Gone = new List<string>();
        public bool HasMore;

        /// <summary>The instant of the clock that caused the event; null: none did.</summary>
        public string At;

        /// <summary>JSON text; null: none.</summary>
        public string Receipt;
        public bool TakesEvents;

        /// <summary>Null if the text is not a whole page.</summary>
        public static Page Read(string text)
        {
            if (!JsonValue.TryParse(text, out JsonValue root)) return null;
            JsonValue[] members = root.Pick("store", "sequence", "changesAt", "contents", "gone", "more", "at", "receipt", "takes");
            var page = new Page();
            if (!members[0].TryString(out page.Store) || !members[1].TryInteger(out page.Sequence) || page.Sequence < 0) return null;
            if (!members[2].IsNull && !members[2].TryString(out page.ChangesAt)) return null;
            if (page.ChangesAt != null && !Instant.IsInstant(page.ChangesAt)) return null;
            if (!members[3].IsObject || !members[5].TryBoolean(out page.HasMore)) return null;
            page.Contents = Content.ReadAll(members[3], true);
            if (page.Contents == null || (page.HasMore && page.Contents.Count == 0)) return null;
            if (!members[4].IsNull && !page.ReadGone(members[4])) return null;
            members[6].TryString(out page.At);
            if (!page.HasMore && !members[7].IsNull) page.Receipt = members[7].Raw;
            page.TakesEvents = !page.HasMore && Has(members[8], "events");
            return page;
        }

        private bool ReadGone(JsonValue gone)
        {
            if (!gone.IsArray) return false;
            JsonElements elements = gone.Elements();
            while (elements.MoveNext())
            {
                if (!elements.Value.TryString(out string id)) return false;
                Gone.Add(id);
            }
            return true;
        }

        private static bool Has(JsonValue array, string what)
        {
            JsonElements elements = array.Elements();
            while (elements.MoveNext())
            {
                if (elements.Value.TryString(out string each) && each == what) return true;
            }
            return false;
        }
    }

    /// <summary>Exposures and metric events of one player, until the server has them.</summary>
    internal sealed class EventQueue
    {
        private const int CountMax = 1000;
        private const int BytesMax = 256 * 1024;
        private const int BodyBytesMax = 64 * 1024;
        private const int NameCharactersMax = 100;

        /// <summary>As many content items as a request may name; after that an exposure may be reported once more.</summary>
        private const int ExposedMax = 10000;
        private const long CollectMs = 10000;
        private const double BackoffSecondsMax = 300;
        private readonly Session _session;
        private readonly Wire _wire;

        /// <summary>JSON texts, oldest first; all ASCII, so a character is a byte.</summary>
        private readonly List<string> _events = new List<string>();
        private readonly HashSet<string> _exposed = new HashSet<string>(StringComparer.Ordinal);
        private readonly List<TaskCompletionSource<bool>> _flushes = new List<TaskCompletionSource<bool>>();
        private Player _player;
        private RequestExchange _request;
        private int _bytes;
        private int _sending;
        private int _dropped;
        private int _failures;
        private long _sendAt = Session.Never;
        private bool _hasConsent;

        public EventQueue(Session session, Wire wire, bool hasConsent)
        {
            _session = session;
            _wire = wire;
            _hasConsent = hasConsent;
        }

        /// <summary>Whether the server takes events, as it said in this run.</summary>
        public bool IsTaken { get; set; }

        public bool IsBusy
        {
            get { return _request != null; }
        }

        public long DueAt
        {
            get
            {
                if (_request != null) return _request.Deadline;
                return MaySend ? _sendAt : Session.Never;
            }
        }

        private bool MaySend
        {
            get { return IsTaken && _hasConsent && _events.Count > 0; }
        }

        public void Load(Player player)
        {
            _player = player;
            Clear();
            string text = player.Vault.ReadEvents();
            if (text == null || !JsonValue.TryParse(text, out JsonValue root)) return;
            JsonElements elements = root.Elements();
            while (elements.MoveNext()) Add(elements.Value.Raw);
        }

        public void Expose(Content content)
        {
            if (!_hasConsent || _player.User.Length == 0 || !new JsonValue(content.Seg).HasElements) return;
            if (_exposed.Count == ExposedMax) _exposed.Clear();
            if (!_exposed.Add(_player.User + "\n" + content.Id.ToLowerInvariant() + "\n" + content.Tag)) return;
            var json = new StringBuilder("{\"t\":\"exposure\"");
            JsonText.Member(json, "id", JsonText.Quote(content.Id));
            JsonText.Member(json, "tag", JsonText.Quote(content.Tag));
            JsonText.Member(json, "seg", content.Seg);
            Finish(json);
        }

        public void Track(string name, double value)
        {
            if (!_hasConsent || _player.User.Length == 0 || !JsonText.IsFinite(value)) return;
            if (string.IsNullOrEmpty(name) || name.Length > NameCharactersMax) return;
            var json = new StringBuilder("{\"t\":\"metric\"");
            JsonText.Member(json, "n", JsonText.Quote(name));
            JsonText.Member(json, "x", JsonText.Number(value));
            Finish(json);
        }

        public void SetConsent(bool isGiven)
        {
            _hasConsent = isGiven;
            if (isGiven || _player == null) return;
            Clear();
            _player.Vault.WriteEvents(null);
            CompleteFlushes(false);
        }

        /// <param name="isOnline">Whether requests may be sent at all.</param>
        public Task FlushAsync(bool isOnline)
        {
            Store();
            if (!isOnline || !MaySend) return Task.FromResult(_events.Count == 0);
            var flush = new TaskCompletionSource<bool>();
            _flushes.Add(flush);
            _sendAt = _session.Now;
            return flush.Task;
        }

        /// <summary>Keeps what is queued for later.</summary>
        public void Pause()
        {
            if (_player == null) return;
            Abandon();
            CompleteFlushes(false);
            Store();
            if (_events.Count > 0) _sendAt = _session.Now + CollectMs;
        }

        public void Run()
        {
            if (_request != null && _session.Now >= _request.Deadline) _request.Fail(Codes.Timeout);
            if (_request == null && MaySend && _session.Now >= _sendAt) Send();
        }

        private void Finish(StringBuilder json)
        {
            JsonText.Member(json, "at", JsonText.Quote(Instant.Format(_player.CorrectedMs)));
            // Digits of two random ids, without those places where each id has the same.
            string eid = Guid.NewGuid().ToString("N").Substring(0, 8) + Guid.NewGuid().ToString("N").Substring(0, 8);
            JsonText.Member(json, "eid", JsonText.Quote(eid));
            Add(JsonText.Ascii(json.Append('}').ToString()));
        }

        private void Add(string text)
        {
            if (_events.Count == 0) _sendAt = _session.Now + CollectMs;
            _events.Add(text);
            _bytes += text.Length;
            while (_events.Count > CountMax || _bytes > BytesMax)
            {
                _bytes -= _events[0].Length;
                _events.RemoveAt(0);
                _sending = Math.Max(0, _sending - 1);
                _dropped += 1;
            }
        }

        private void Send()
        {
            LogDropped();
            var json = new StringBuilder("{\"u\":");
            json.Append(JsonText.Ascii(JsonText.Quote(_player.User))).Append(",\"events\":[");
            _sending = 0;
            while (_sending < _events.Count && (_sending == 0 || json.Length + _events[_sending].Length + 3 <= BodyBytesMax))
            {
                if (_sending > 0) json.Append(',');
                json.Append(_events[_sending]);
                _sending += 1;
            }
            _request = new RequestExchange(_wire, OnReply);
            _request.Deadline = _session.Now + RequestExchange.LastsMsMax;
            _wire.Send(_request, "/api/v1/events", JsonText.Utf8.GetBytes(json.Append("]}").ToString()), -1);
        }

        private void OnReply(Reply reply)
        {
            _request = null;
            if (reply.IsDone || reply.IsRejected)
            {
                if (!reply.IsDone) _session.Log("events_rejected", "The server does not take these events: " + reply.Failure + ".");
                for (int at = 0; at < _sending; at += 1) _bytes -= _events[at].Length;
                _events.RemoveRange(0, _sending);
                _failures = 0;
                _sendAt = _session.Now;
                Store();
                if (!reply.IsDone || _events.Count == 0) CompleteFlushes(reply.IsDone);
            }
            else
            {
                _failures += 1;
                _sendAt = _session.Now + reply.RetryAfterMs + Backoff.DelayMs(_session, _failures, BackoffSecondsMax);
                CompleteFlushes(false);
            }
        }

        /// <summary>When they are sent or stored, not one by one.</summary>
        private void LogDropped()
        {
            if (_dropped == 0) return;
            _session.Log("events_dropped", "The queue of events is full: " + JsonText.Number(_dropped) + " were dropped.");
            _dropped = 0;
        }

        private void Store()
        {
            LogDropped();
            string text = _events.Count == 0 ? null : "[" + string.Join(",", _events.ToArray()) + "]";
            _player.Vault.WriteEvents(text);
        }

        private void Clear()
        {
            Abandon();
            _events.Clear();
            _bytes = 0;
            _failures = 0;
            _sendAt = Session.Never;
        }

        private void Abandon()
        {
            if (_request != null) _request.Abandon();
            _request = null;
        }

        private void CompleteFlushes(bool isSent)
        {
            foreach (TaskCompletionSource<bool> flush in _flushes)
            {
                TaskCompletionSource<bool> each = flush;
                _session.Defer(() => each.TrySetResult(isSent));
            }
            _flushes.Clear();
        }
    }

    /// <summary>Receipts of configurations that worked or failed, one after the other.</summary>
    internal sealed class ReceiptQueue
    {
        private const int AttemptsMax = 4;
        private const double BackoffSecondsMax = 300;

        /// <summary>A player has one a run, or two.</summary>
        private const int CountMax = 16;
        private readonly Session _session;
        private readonly Wire _wire;
        private readonly Queue<string> _bodies = new Queue<string>();
        private RequestExchange _request;
        private int _attempts;
        private long _sendAt;

        public ReceiptQueue(Session session, Wire wire)
        {
            _session = session;
            _wire = wire;
        }

        public bool IsBusy
        {
            get { return _request != null; }
        }

        public long DueAt
        {
            get { return _request != null ? _request.Deadline : _bodies.Count > 0 ? _sendAt : Session.Never; }
        }

        public void Add(string user, string receipt, bool isOk)
        {
            if (_bodies.Count == CountMax) return;
            var json = new StringBuilder("{");
            JsonText.Member(json, "u", JsonText.Quote(user));
            JsonText.Member(json, "receipt", receipt);
            JsonText.Member(json, "ok", isOk ? "true" : "false");
            if (_bodies.Count == 0) _sendAt = _session.Now;
            _bodies.Enqueue(json.Append('}').ToString());
        }

        public void Pause()
        {
            if (_request != null) _request.Abandon();
            _request = null;
        }

        public void Run()
        {
            if (_request != null && _session.Now >= _request.Deadline) _request.Fail(Codes.Timeout);
            if (_request != null || _bodies.Count == 0 || _session.Now < _sendAt) return;
            _request = new RequestExchange(_wire, OnReply);
            _request.Deadline = _session.Now + RequestExchange.LastsMsMax;
            _wire.Send(_request, "/api/v1/receipts", JsonText.Utf8.GetBytes(_bodies.Peek()), -1);
        }

        private void OnReply(Reply reply)
        {
            _request = null;
            _attempts += 1;
            if (reply.IsDone || reply.IsRejected || _attempts == AttemptsMax)
            {
                _bodies.Dequeue();
                _attempts = 0;
                _sendAt = _session.Now;
            }
            else
            {
                _sendAt = _session.Now + reply.RetryAfterMs + Backoff.DelayMs(_session, _attempts, BackoffSecondsMax);
            }
        }
    }

    /// <summary>Sends requests, and brings what comes of them, on any thread, to the thread of Update.</summary>
    internal sealed class Wire
    {
        private readonly Session _session;
        private readonly ConcurrentQueue<Signal> _signals = new ConcurrentQueue<Signal>();

        public Wire(Session session)
        {
            _session = session;
        }

        /// <param name="exchange">Hears what comes.</param>
        /// <param name="path">Of the delivery API.</param>
        /// <param name="body">JSON.</param>
        /// <param name="minSequence">-1: none.</param>
        public void Send(Exchange exchange, string path, byte[] body, long minSequence)
        {
            var headers = new List<KeyValuePair<string, string>>
            {
                new KeyValuePair<string, string>("X-Api-Key", _session.Key),
                new KeyValuePair<string, string>("Content-Type", "application/json"),
            };
            if (minSequence >= 0) headers.Add(new KeyValuePair<string, string>("X-Min-Sequence", JsonText.Number(minSequence)));
            try
            {
                var request = new TransportRequest(_session.Url + path, headers.ToArray(), body);
                exchange.Call = _session.Transport.Send(request, exchange);
            }
            catch (Exception error)
            {
                exchange.Error(error.Message);
            }
        }

        public void Put(Signal signal)
        {
            _signals.Enqueue(signal);
        }

        /// <summary>The device's time, on any thread.</summary>
        public long WallMs
        {
            get { return _session.WallMs; }
        }

        public void Drain()
        {
            while (_signals.TryDequeue(out Signal signal)) signal.Exchange.Take(signal);
        }
    }

    /// <summary>What a transport reported.</summary>
    internal struct Signal
    {
        public Exchange Exchange;
        public ResponseHead Head;
        public byte[] Bytes;
        public bool IsEnd;
    }

    /// <summary>One request and its response, until it is over.</summary>
    internal abstract class Exchange : ITransportSink
    {
        /// <summary>A response, an event, or what a game that does not call Update has not read yet.</summary>
        protected const int BytesMax = 64 * 1024 * 1024;
        protected readonly Wire Wire;

        /// <summary>What each piece costs beside its bytes: pieces may be of one byte each.</summary>
        private const int PieceBytes = 64;
        private long _unread;
        private int _hasOverflowed;

        protected Exchange(Wire wire)
        {
            Wire = wire;
        }

        public ITransportCall Call { get; set; }

        protected bool IsOver { get; private set; }

        /// <summary>The difference to the server's clock by <c>Date</c>, when the head came; null: there was none.</summary>
        protected long? ServerDifference { get; private set; }

        /// <summary>Ends it; nothing of it is reported any more.</summary>
        public void Abandon()
        {
            if (IsOver) return;
            IsOver = true;
            try
            {
                if (Call != null) Call.Cancel();
            }
            catch (Exception)
            {
                // A transport that cannot cancel: what still comes is ignored.
            }
        }

        public void Head(ResponseHead head)
        {
            // A frame may take seconds, so it is now that counts.
            if (Instant.TryParse(head.Date, out long ms)) ServerDifference = ms - Wire.WallMs;
            Wire.Put(new Signal { Exchange = this, Head = head });
        }

        public void Bytes(byte[] buffer, int offset, int count)
        {
            if (count <= 0) return;
            if (Interlocked.Add(ref _unread, count + PieceBytes) > BytesMax)
            {
                if (Interlocked.Exchange(ref _hasOverflowed, 1) == 0) Error("too much to read");
                return;
            }
            var bytes = new byte[count];
            Buffer.BlockCopy(buffer, offset, bytes, 0, count);
            Wire.Put(new Signal { Exchange = this, Bytes = bytes });
        }

        public void End()
        {
            Wire.Put(new Signal { Exchange = this, IsEnd = true });
        }

        public void Error(string message)
        {
            Wire.Put(new Signal { Exchange = this });
        }

        public void Take(Signal signal)
        {
            if (signal.Bytes != null) Interlocked.Add(ref _unread, -signal.Bytes.Length - PieceBytes);
            if (IsOver) return;
            if (signal.Head != null) OnHead(signal.Head);
            else if (signal.Bytes != null) OnBytes(signal.Bytes);
            else if (signal.IsEnd) OnEnd();
            else Fail(_hasOverflowed == 0 ? Codes.Network : Codes.Garbage);
        }

        public abstract void Fail(string code);

        protected abstract void OnHead(ResponseHead head);

        protected abstract void OnBytes(byte[] bytes);

        protected abstract void OnEnd();
    }

    /// <summary>How a request ended.</summary>
    internal sealed class Reply
    {
        private const long RetryAfterSecondsMax = 300;

        /// <summary>0: there was no response.</summary>
        public int Status;

        /// <summary>Code of the failure; null: a response of the server with what was asked for.</summary>
        public string Failure;
        public string Text;
        public long RetryAfterMs;
        public long? ServerDifference;

        /// <summary>Any 2xx.</summary>
        public bool IsDone
        {
            get { return Status >= 200 && Status < 300; }
        }

        /// <summary>Asking again does not help.</summary>
        public bool IsRejected
        {
            get { return Status >= 400 && Status < 500 && Status != 408 && Status != 429; }
        }

        /// <summary>Of a response that came whole.</summary>
        public static Reply Of(ResponseHead head, byte[] body)
        {
            var reply = new Reply { Status = head.Status, Text = JsonText.Decode(body) };
            bool isJson = HasType(head, "application/json");
            if (head.Status == 200) reply.Failure = isJson && reply.Text != null ? null : Codes.Garbage;
            else reply.Failure = reply.ProblemCode() ?? CodeOf(head.Status);
            if (head.Status == 429 || head.Status == 503) reply.RetryAfterMs = RetryAfter(head.RetryAfter);
            return reply;
        }

        public static bool HasType(ResponseHead head, string type)
        {
            if (head.ContentType == null) return false;
            int end = head.ContentType.IndexOf(';');
            string given = end < 0 ? head.ContentType : head.ContentType.Substring(0, end);
            return string.Equals(given.Trim(), type, StringComparison.OrdinalIgnoreCase);
        }

        /// <summary>Null if the body is no problem document; codes are lower-case words.</summary>
        private string ProblemCode()
        {
            string code;
            if (Text == null || !JsonValue.TryParse(Text, out JsonValue root) || !root.Pick("code")[0].TryString(out code)) return null;
            if (code.Length == 0 || code.Length > 64) return null;
            foreach (char each in code)
            {
                if (each != '_' && (each < 'a' || each > 'z') && (each < '0' || each > '9')) return null;
            }
            return code;
        }

        private static string CodeOf(int status)
        {
            return status >= 300 && status < 400 ? "redirect" : "http_" + JsonText.Number(status);
        }

        private static long RetryAfter(string header)
        {
            bool isWhole = long.TryParse(header, NumberStyles.None, CultureInfo.InvariantCulture, out long seconds);
            return isWhole ? Math.Min(seconds, RetryAfterSecondsMax) * 1000 : 0;
        }
    }

    /// <summary>A request with a response that ends.</summary>
    internal sealed class RequestExchange : Exchange
    {
        public const long LastsMsMax = 15000;
        private readonly Action<Reply> _done;
        private readonly MemoryStream _body = new MemoryStream();
        private ResponseHead _head;

        public RequestExchange(Wire wire, Action<Reply> done)
            : base(wire)
        {
            _done = done;
        }

        public long Deadline { get; set; }

        public override void Fail(string code)
        {
            Abandon();
            _done(new Reply { Failure = code });
        }

        protected override void OnHead(ResponseHead head)
        {
            _head = head;
        }

        protected override void OnBytes(byte[] bytes)
        {
            if (_body.Length + bytes.Length > BytesMax) Fail(Codes.Garbage);
            else _body.Write(bytes, 0, bytes.Length);
        }

        protected override void OnEnd()
        {
            Abandon();
            if (_head == null)
            {
                _done(new Reply { Failure = Codes.Network });
                return;
            }
            Reply reply = Reply.Of(_head, _body.ToArray());
            reply.ServerDifference = ServerDifference;
            _done(reply);
        }
    }

    /// <summary>A stream, or what the server gave in its place.</summary>
    internal sealed class StreamExchange : Exchange
    {
        private readonly Updater _updater;
        private readonly Gathering _gathering;
        private readonly EventStream _events;
        private readonly MemoryStream _body = new MemoryStream();
        private ResponseHead _head;

        public StreamExchange(Wire wire, Updater updater, Gathering gathering)
            : base(wire)
        {
            _updater = updater;
            _gathering = gathering;
            _events = new EventStream(BytesMax);
        }

        public bool IsOpen { get; private set; }

        public override void Fail(string code)
        {
            EndWith(new Reply { Failure = code });
        }

        protected override void OnHead(ResponseHead head)
        {
            _head = head;
            _updater.OnStreamBytes();
            IsOpen = head.Status == 200 && Reply.HasType(head, "text/event-stream");
            if (IsOpen) _updater.OnStreamOpen(ServerDifference);
        }

        protected override void OnBytes(byte[] bytes)
        {
            _updater.OnStreamBytes();
            if (!IsOpen)
            {
                if (_body.Length + bytes.Length > BytesMax) Fail(Codes.Garbage);
                else _body.Write(bytes, 0, bytes.Length);
                return;
            }
            _events.Push(bytes);
            while (!IsOver && _events.TryNext(out string name, out string data))
            {
                if (name == "refresh" && (data == null || !_updater.OnStreamEvent(_gathering, data))) Fail(Codes.Garbage);
            }
            if (!IsOver && _events.IsTooLong) Fail(Codes.Garbage);
        }

        protected override void OnEnd()
        {
            if (IsOpen) EndWith(new Reply { Failure = Codes.Network });
            else EndWith(_head == null ? new Reply { Failure = Codes.Network } : Reply.Of(_head, _body.ToArray()));
        }

        private void EndWith(Reply reply)
        {
            Abandon();
            _updater.OnStreamEnd(reply, _events.RetryMs);
        }
    }

    /// <summary>Server-sent events, from bytes that are cut anywhere, as the HTML standard reads them.</summary>
    internal sealed class EventStream
    {
        private const byte LineFeed = 10;
        private const byte CarriageReturn = 13;
        private readonly int _bytesMax;
        private readonly MemoryStream _line = new MemoryStream();
        private readonly MemoryStream _data = new MemoryStream();
        private readonly Queue<KeyValuePair<string, string>> _events = new Queue<KeyValuePair<string, string>>();
        private string _name = "";
        private bool _hasData;
        private bool _isAfterReturn;
        private bool _isFirstLine = true;

        public EventStream(int bytesMax)
        {
            _bytesMax = bytesMax;
            RetryMs = -1;
        }

        /// <summary>The last <c>retry</c>; -1: none came.</summary>
        public long RetryMs { get; private set; }

        public bool IsTooLong { get; private set; }

        public void Push(byte[] bytes)
        {
            int start = 0;
            for (int at = 0; at < bytes.Length && !IsTooLong; at += 1)
            {
                byte each = bytes[at];
                bool isAfterReturn = _isAfterReturn;
                _isAfterReturn = each == CarriageReturn;
                if (each != LineFeed && each != CarriageReturn) continue;
                if (each == CarriageReturn || !isAfterReturn)
                {
                    Append(bytes, start, at);
                    TakeLine();
                }
                start = at + 1;
            }
            Append(bytes, start, bytes.Length);
        }

        /// <param name="name">Of the event.</param>
        /// <param name="data">Null if it is not UTF-8.</param>
        public bool TryNext(out string name, out string data)
        {
            bool isThere = _events.Count > 0;
            KeyValuePair<string, string> next = isThere ? _events.Dequeue() : default(KeyValuePair<string, string>);
            name = next.Key;
            data = next.Value;
            return isThere;
        }

        private void Append(byte[] bytes, int start, int end)
        {
            IsTooLong |= _line.Length + _data.Length + end - start > _bytesMax;
            if (!IsTooLong) _line.Write(bytes, start, end - start);
        }

        private void TakeLine()
        {
            byte[] line = _line.GetBuffer();
            int length = (int)_line.Length;
            int start = _isFirstLine && length >= 3 && line[0] == 0xEF && line[1] == 0xBB && line[2] == 0xBF ? 3 : 0;
            _isFirstLine = false;
            if (length == start) Dispatch();
            else TakeField(line, start, length);
            _line.SetLength(0);
        }

        private void TakeField(byte[] line, int start, int length)
        {
            int colon = System.Array.IndexOf(line, (byte)':', start, length - start);
            int end = colon < 0 ? length : colon;
            int value = colon < 0 ? length : colon + 1;
            if (value < length && line[value] == ' ') value += 1;
            string field = Encoding.ASCII.GetString(line, start, end - start);
            if (field == "data")
            {
                if (_hasData) _data.WriteByte(LineFeed);
                _hasData = true;
                _data.Write(line, value, length - value);
            }
            else if (field == "event")
            {
                _name = Encoding.ASCII.GetString(line, value, length - value);
            }
            else if (field == "retry")
            {
                string text = Encoding.ASCII.GetString(line, value, length - value);
                if (long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long ms)) RetryMs = ms;
            }
        }

        private void Dispatch()
        {
            if (_hasData) _events.Enqueue(new KeyValuePair<string, string>(_name, JsonText.Decode(_data.ToArray())));
            _name = "";
            _hasData = false;
            _data.SetLength(0);
        }
    }

    /// <summary>
    /// A value in JSON text that <see cref="TryParse"/> has found valid: a range of it, looked at in place. Nothing here
    /// recurses, so no depth of a text overflows the stack.
    /// </summary>
    internal struct JsonValue
    {
        private readonly string _text;
        private readonly int _start;
        private readonly int _end;

        /// <param name="valid">One value, without white space around it.</param>
        public JsonValue(string valid)
            : this(valid, 0, valid.Length)
        {
        }

        internal JsonValue(string text, int start, int end)
        {
            _text = text;
            _start = start;
            _end = end;
        }

        public string Raw
        {
            get { return _text == null ? "null" : _text.Substring(_start, _end - _start); }
        }

        public bool IsNull
        {
            get { return First == 'n'; }
        }

        public bool IsObject
        {
            get { return First == '{'; }
        }

        public bool IsArray
        {
            get { return First == '['; }
        }

        public bool IsContainer
        {
            get { return IsObject || IsArray; }
        }

        public bool HasElements
        {
            get { return IsArray && Elements().MoveNext(); }
        }

        private char First
        {
            get { return _text == null ? 'n' : _text[_start]; }
        }

        /// <summary>Whether the text is one JSON value (RFC 8259), with white space around it or none.</summary>
        public static bool TryParse(string text, out JsonValue value)
        {
            var check = new JsonCheck(text);
            bool isValid = check.IsValid(out int start, out int end);
            value = isValid ? new JsonValue(text, start, end) : default(JsonValue);
            return isValid;
        }

        public JsonMembers Members()
        {
            return new JsonMembers(IsObject ? _text : null, _start, _end);
        }

        public JsonElements Elements()
        {
            return new JsonElements(IsArray ? _text : null, _start, _end);
        }

        /// <summary>The members of these names, in one pass: of a repeated one the last, of a missing one null.</summary>
        public JsonValue[] Pick(params string[] names)
        {
            var picked = new JsonValue[names.Length];
            JsonMembers members = Members();
            while (members.MoveNext())
            {
                for (int at = 0; at < names.Length; at += 1)
                {
                    if (members.HasName(names[at], 0, names[at].Length, false)) picked[at] = members.Value;
                }
            }
            return picked;
        }

        /// <summary>The value at a JSON Pointer (RFC 6901). False for one that leads nowhere, and for one that is none.</summary>
        public bool TryFind(string pointer, out JsonValue value)
        {
            value = this;
            int at = 0;
            while (at < pointer.Length)
            {
                if (pointer[at] != '/') return false;
                int start = at + 1;
                at = pointer.IndexOf('/', start);
                if (at < 0) at = pointer.Length;
                if (!JsonPointer.IsToken(pointer, start, at)) return false;
                if (!value.TryStep(pointer, start, at, out JsonValue next)) return false;
                value = next;
            }
            return true;
        }

        public bool TryBoolean(out bool value)
        {
            value = First == 't';
            return value || First == 'f';
        }

        /// <summary>Exact: any digits in the range; with a fraction or an exponent, below 2^53 and without a rest.</summary>
        public bool TryInteger(out long value)
        {
            value = 0;
            return IsNumber && JsonNumber.TryInteger(_text, _start, _end, out value);
        }

        public bool TryDouble(out double value)
        {
            value = 0;
            return IsNumber && JsonNumber.TryDouble(_text, _start, _end, out value);
        }

        public bool TryString(out string value)
        {
            value = First == '"' ? JsonString.Decode(_text, _start, _end) : null;
            return value != null;
        }

        private bool IsNumber
        {
            get { return First == '-' || (First >= '0' && First <= '9'); }
        }

        private bool TryStep(string pointer, int start, int end, out JsonValue value)
        {
            bool isThere = false;
            value = default(JsonValue);
            if (IsObject)
            {
                JsonMembers members = Members();
                while (members.MoveNext())
                {
                    if (!members.HasName(pointer, start, end, true)) continue;
                    value = members.Value;
                    isThere = true;
                }
                return isThere;
            }
            if (!IsArray || !JsonPointer.TryIndex(pointer, start, end, out int index)) return false;
            JsonElements elements = Elements();
            while (elements.MoveNext())
            {
                if (index == 0)
                {
                    value = elements.Value;
                    return true;
                }
                index -= 1;
            }
            return false;
        }
    }

    /// <summary>Where things end in valid JSON text.</summary>
    internal static class JsonScan
    {
        public static int SkipSpace(string text, int at)
        {
            while (at < text.Length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) at += 1;
            return at;
        }

        /// <param name="text">Valid JSON.</param>
        /// <param name="at">Of the opening quote.</param>
        public static int EndOfString(string text, int at)
        {
            at += 1;
            while (text[at] != '"') at += text[at] == '\\' ? 2 : 1;
            return at + 1;
        }

        /// <param name="text">Valid JSON.</param>
        /// <param name="at">Where a value begins.</param>
        public static int EndOfValue(string text, int at)
        {
            char first = text[at];
            if (first == '"') return EndOfString(text, at);
            if (first != '{' && first != '[') return EndOfScalar(text, at);
            int depth = 0;
            do
            {
                char each = text[at];
                if (each == '"')
                {
                    at = EndOfString(text, at);
                    continue;
                }
                if (each == '{' || each == '[') depth += 1;
                else if (each == '}' || each == ']') depth -= 1;
                at += 1;
            }
            while (depth > 0);
            return at;
        }

        private static int EndOfScalar(string text, int at)
        {
            while (at < text.Length)
            {
                char each = text[at];
                if (each == ',' || each == '}' || each == ']' || each <= ' ') break;
                at += 1;
            }
            return at;
        }
    }

    /// <summary>The members of an object, in order.</summary>
    internal struct JsonMembers
    {
        private readonly string _text;
        private readonly int _last;
        private int _at;
        private int _nameStart;
        private int _nameEnd;
        private int _valueStart;

        /// <param name="text">Null: there are none.</param>
        /// <param name="start">Of the opening brace.</param>
        /// <param name="end">Behind the closing one.</param>
        public JsonMembers(string text, int start, int end)
        {
            _text = text;
            _last = end - 1;
            _at = start + 1;
            _nameStart = 0;
            _nameEnd = 0;
            _valueStart = 0;
        }

        public string Name
        {
            get { return JsonString.Decode(_text, _nameStart, _nameEnd); }
        }

        public JsonValue Value
        {
            get { return new JsonValue(_text, _valueStart, _at); }
        }

        public bool MoveNext()
        {
            if (_text == null) return false;
            _nameStart = JsonScan.SkipSpace(_text, _at);
            if (_nameStart < _last && _text[_nameStart] == ',') _nameStart = JsonScan.SkipSpace(_text, _nameStart + 1);
            if (_nameStart >= _last) return false;
            _nameEnd = JsonScan.EndOfString(_text, _nameStart);
            _valueStart = JsonScan.SkipSpace(_text, JsonScan.SkipSpace(_text, _nameEnd) + 1);
            _at = JsonScan.EndOfValue(_text, _valueStart);
            return true;
        }

        /// <summary>Whether the name is that part of a text, without decoding it into another string.</summary>
        public bool HasName(string other, int start, int end, bool isPointer)
        {
            int at = _nameStart + 1;
            while (start < end && at < _nameEnd - 1)
            {
                char wanted = isPointer ? JsonPointer.Next(other, ref start) : other[start++];
                if (JsonString.Next(_text, ref at) != wanted) return false;
            }
            return start == end && at == _nameEnd - 1;
        }
    }

    /// <summary>The elements of an array, in order.</summary>
    internal struct JsonElements
    {
        private readonly string _text;
        private readonly int _last;
        private int _at;
        private int _start;

        /// <param name="text">Null: there are none.</param>
        /// <param name="start">Of the opening bracket.</param>
        /// <param name="end">Behind the closing one.</param>
        public JsonElements(string text, int start, int end)
        {
            _text = text;
            _last = end - 1;
            _at = start + 1;
            _start = 0;
        }

        public JsonValue Value
        {
            get { return new JsonValue(_text, _start, _at); }
        }

        public bool MoveNext()
        {
            if (_text == null) return false;
            _start = JsonScan.SkipSpace(_text, _at);
            if (_start < _last && _text[_start] == ',') _start = JsonScan.SkipSpace(_text, _start + 1);
            if (_start >= _last) return false;
            _at = JsonScan.EndOfValue(_text, _start);
            return true;
        }
    }

    /// <summary>Strings in JSON text; halves of surrogate pairs are kept as they are.</summary>
    internal static class JsonString
    {
        /// <param name="text">Valid JSON.</param>
        /// <param name="start">Of the opening quote.</param>
        /// <param name="end">Behind the closing one.</param>
        public static string Decode(string text, int start, int end)
        {
            if (text.IndexOf('\\', start, end - start) < 0) return text.Substring(start + 1, end - start - 2);
            var decoded = new StringBuilder(end - start);
            int at = start + 1;
            while (at < end - 1) decoded.Append(Next(text, ref at));
            return decoded.ToString();
        }

        /// <summary>The character at that place of a string, which moves behind it.</summary>
        public static char Next(string text, ref int at)
        {
            char each = text[at++];
            if (each != '\\') return each;
            char escaped = text[at++];
            switch (escaped)
            {
                case 'b': return '\b';
                case 'f': return '\f';
                case 'n': return '\n';
                case 'r': return '\r';
                case 't': return '\t';
                case 'u':
                    int code = 0;
                    for (int end = at + 4; at < end; at += 1) code = code * 16 + HexDigit(text[at]);
                    return (char)code;
                default: return escaped;
            }
        }

        /// <summary>-1: it is none.</summary>
        public static int HexDigit(char each)
        {
            if (each >= '0' && each <= '9') return each - '0';
            if (each >= 'a' && each <= 'f') return each - 'a' + 10;
            if (each >= 'A' && each <= 'F') return each - 'A' + 10;
            return -1;
        }
    }

    /// <summary>The tokens of a JSON Pointer.</summary>
    internal static class JsonPointer
    {
        /// <summary>Whether each <c>~</c> is followed by 0 or 1.</summary>
        public static bool IsToken(string pointer, int start, int end)
        {
            for (int at = start; at < end; at += 1)
            {
                if (pointer[at] == '~' && (at + 1 == end || (pointer[at + 1] != '0' && pointer[at + 1] != '1'))) return false;
            }
            return true;
        }

        /// <summary>The character at that place of a token, which moves behind it.</summary>
        public static char Next(string pointer, ref int at)
        {
            char each = pointer[at++];
            if (each != '~') return each;
            return pointer[at++] == '0' ? '~' : '/';
        }

        /// <summary>Digits without a leading zero.</summary>
        public static bool TryIndex(string pointer, int start, int end, out int index)
        {
            index = 0;
            int length = end - start;
            if (length == 0 || length > 9 || (length > 1 && pointer[start] == '0')) return false;
            for (int at = start; at < end; at += 1)
            {
                if (pointer[at] < '0' || pointer[at] > '9') return false;
                index = index * 10 + (pointer[at] - '0');
            }
            return true;
        }
    }

    /// <summary>Numbers in JSON text.</summary>
    internal static class JsonNumber
    {
        private const long ExactMax = 1L << 53;

        /// <summary>What a mantissa of 64 bits holds for certain.</summary>
        private const int DigitsMax = 18;

        /// <summary>Powers of ten that a double holds exactly.</summary>
        private static readonly double[] Powers =
        {
            1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
        };

        public static bool TryInteger(string text, int start, int end, out long value)
        {
            for (int at = start; at < end; at += 1)
            {
                if (text[at] == '.' || text[at] == 'e' || text[at] == 'E') return TryWhole(text, start, end, out value);
            }
            const NumberStyles Digits = NumberStyles.AllowLeadingSign;
            return long.TryParse(text.Substring(start, end - start), Digits, CultureInfo.InvariantCulture, out value);
        }

        /// <summary>Nearest to what is written; some runtimes are a unit off, and only with more digits than people write.</summary>
        public static bool TryDouble(string text, int start, int end, out double value)
        {
            if (TrySplit(text, start, end, out long mantissa, out long power) && mantissa < ExactMax && Math.Abs(power) < Powers.Length)
            {
                // Both are exact, so the one rounding is the right one.
                value = power < 0 ? mantissa / Powers[-power] : mantissa * Powers[power];
                if (text[start] == '-') value = -value;
                return true;
            }
            string number = text.Substring(start, end - start);
            return double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out value) && JsonText.IsFinite(value);
        }

        private static bool TryWhole(string text, int start, int end, out long value)
        {
            // With more digits it is beyond the range, or has a fraction.
            if (!TrySplit(text, start, end, out value, out long power)) return false;
            if (value == 0) return true;
            if (power < 0) return false;
            for (; power > 0 && value < ExactMax; power -= 1) value *= 10;
            if (value >= ExactMax) return false;
            if (text[start] == '-') value = -value;
            return true;
        }

        /// <summary>Its digits without zeros at the ends, and the power of ten that the last one counts.</summary>
        private static bool TrySplit(string text, int start, int end, out long mantissa, out long power)
        {
            int digits = 0;
            int zeros = 0;
            bool isFraction = false;
            mantissa = 0;
            power = 0;
            int at = text[start] == '-' ? start + 1 : start;
            for (; at < end && text[at] != 'e' && text[at] != 'E'; at += 1)
            {
                if (text[at] == '.')
                {
                    isFraction = true;
                    continue;
                }
                if (isFraction) power -= 1;
                zeros += 1;
                if (text[at] == '0') continue;
                // Zeros before this digit count if there was another one before them.
                digits += mantissa == 0 ? 1 : zeros;
                if (digits > DigitsMax) return false;
                for (; zeros > 0; zeros -= 1) mantissa *= 10;
                mantissa += text[at] - '0';
            }
            power += zeros;
            if (at < end) power += Exponent(text, at + 1, end);
            return true;
        }

        /// <summary>Bounded: beyond a billion it makes no difference.</summary>
        private static long Exponent(string text, int start, int end)
        {
            bool isNegative = text[start] == '-';
            long exponent = 0;
            for (int at = text[start] == '-' || text[start] == '+' ? start + 1 : start; at < end; at += 1)
            {
                exponent = Math.Min(exponent * 10 + (text[at] - '0'), 1000000000);
            }
            return isNegative ? -exponent : exponent;
        }
    }

    /// <summary>Whether a text is JSON; containers are counted on a stack of its own.</summary>
    internal struct JsonCheck
    {
        private readonly string _text;
        private int _at;
        private bool[] _isObject;
        private int _depth;

        public JsonCheck(string text)
        {
            _text = text;
            _at = 0;
            _isObject = new bool[32];
            _depth = 0;
        }

        public bool IsValid(out int start, out int end)
        {
            start = JsonScan.SkipSpace(_text, 0);
            _at = start;
            bool isValue = TakeValue();
            end = _at;
            return isValue && JsonScan.SkipSpace(_text, end) == _text.Length;
        }

        private bool TakeValue()
        {
            for (;;)
            {
                SkipSpace();
                if (_at == _text.Length) return false;
                if (!Begin(out bool isOpened)) return false;
                if (!isOpened && !CloseWhatEnds()) return false;
                if (!isOpened && _depth == 0) return true;
            }
        }

        /// <summary>Takes a scalar, an empty container, or the beginning of a container up to its first value.</summary>
        private bool Begin(out bool isOpened)
        {
            char first = _text[_at];
            isOpened = first == '{' || first == '[';
            if (!isOpened) return TakeScalar(first);
            _at += 1;
            SkipSpace();
            if (_at < _text.Length && _text[_at] == (first == '{' ? '}' : ']'))
            {
                _at += 1;
                isOpened = false;
                return true;
            }
            if (_depth == _isObject.Length) System.Array.Resize(ref _isObject, _depth * 2);
            _isObject[_depth] = first == '{';
            _depth += 1;
            return first == '[' || TakeName();
        }

        /// <summary>Behind a value: up to the next one, or to the end of the outermost container.</summary>
        private bool CloseWhatEnds()
        {
            while (_depth > 0)
            {
                SkipSpace();
                if (_at == _text.Length) return false;
                char each = _text[_at];
                bool isObject = _isObject[_depth - 1];
                _at += 1;
                if (each == ',') return !isObject || TakeName();
                if (each != (isObject ? '}' : ']')) return false;
                _depth -= 1;
            }
            return true;
        }

        private bool TakeName()
        {
            SkipSpace();
            if (!TakeString()) return false;
            SkipSpace();
            if (_at == _text.Length || _text[_at] != ':') return false;
            _at += 1;
            return true;
        }

        private bool TakeScalar(char first)
        {
            switch (first)
            {
                case '"': return TakeString();
                case 't': return TakeWord("true");
                case 'f': return TakeWord("false");
                case 'n': return TakeWord("null");
                default: return TakeNumber();
            }
        }

        private bool TakeWord(string word)
        {
            if (string.CompareOrdinal(_text, _at, word, 0, word.Length) != 0) return false;
            _at += word.Length;
            return true;
        }

        private bool TakeString()
        {
            if (_at == _text.Length || _text[_at] != '"') return false;
            for (_at += 1; _at < _text.Length; _at += 1)
            {
                char each = _text[_at];
                if (each < ' ') return false;
                if (each == '"')
                {
                    _at += 1;
                    return true;
                }
                if (each == '\\' && !TakeEscape()) return false;
            }
            return false;
        }

        /// <summary>Up to its last character.</summary>
        private bool TakeEscape()
        {
            _at += 1;
            if (_at == _text.Length) return false;
            if (_text[_at] != 'u') return "\"\\/bfnrt".IndexOf(_text[_at]) >= 0;
            for (int left = 4; left > 0; left -= 1)
            {
                _at += 1;
                if (_at == _text.Length || JsonString.HexDigit(_text[_at]) < 0) return false;
            }
            return true;
        }

        private bool TakeNumber()
        {
            if (_text[_at] == '-') _at += 1;
            bool isZero = _at < _text.Length && _text[_at] == '0';
            int digits = TakeDigits();
            if (digits == 0 || (isZero && digits > 1)) return false;
            if (_at < _text.Length && _text[_at] == '.')
            {
                _at += 1;
                if (TakeDigits() == 0) return false;
            }
            if (_at < _text.Length && (_text[_at] == 'e' || _text[_at] == 'E'))
            {
                _at += 1;
                if (_at < _text.Length && (_text[_at] == '+' || _text[_at] == '-')) _at += 1;
                if (TakeDigits() == 0) return false;
            }
            return true;
        }

        private int TakeDigits()
        {
            int start = _at;
            while (_at < _text.Length && _text[_at] >= '0' && _text[_at] <= '9') _at += 1;
            return _at - start;
        }

        private void SkipSpace()
        {
            _at = JsonScan.SkipSpace(_text, _at);
        }
    }

    /// <summary>Writes JSON, and reads the bytes of it; nothing depends on the culture of the machine.</summary>
    internal static class JsonText
    {
        /// <summary>Without a byte order mark; what is not UTF-8 is an error.</summary>
        public static readonly UTF8Encoding Utf8 = new UTF8Encoding(false, true);

        public static string Number(long value)
        {
            return value.ToString(CultureInfo.InvariantCulture);
        }

        public static string Number(double value)
        {
            // "R" is the shortest text; some runtimes get it wrong for some values.
            string text = value.ToString("R", CultureInfo.InvariantCulture);
            bool isExact = double.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture) == value;
            return isExact ? text : value.ToString("G17", CultureInfo.InvariantCulture);
        }

        public static bool IsFinite(double value)
        {
            return !double.IsNaN(value) && !double.IsInfinity(value);
        }

        /// <summary>Null if they are not UTF-8.</summary>
        public static string Decode(byte[] bytes)
        {
            try
            {
                return Utf8.GetString(bytes);
            }
            catch (ArgumentException)
            {
                return null;
            }
        }

        /// <param name="json">Ends with an opening brace, or with a member.</param>
        /// <param name="name">Of the member.</param>
        /// <param name="text">JSON.</param>
        public static void Member(StringBuilder json, string name, string text)
        {
            if (json[json.Length - 1] != '{') json.Append(',');
            AppendQuoted(json, name);
            json.Append(':').Append(text);
        }

        public static string Array(List<string> strings)
        {
            var json = new StringBuilder("[");
            foreach (string each in strings)
            {
                if (json.Length > 1) json.Append(',');
                AppendQuoted(json, each);
            }
            return json.Append(']').ToString();
        }

        public static string QuoteOrNull(string text)
        {
            return text == null ? "null" : Quote(text);
        }

        public static string Quote(string text)
        {
            var json = new StringBuilder(text.Length + 2);
            AppendQuoted(json, text);
            return json.ToString();
        }

        /// <summary>The same JSON with an escape in the place of each character beyond ASCII.</summary>
        public static string Ascii(string json)
        {
            int at = 0;
            while (at < json.Length && json[at] < 128) at += 1;
            if (at == json.Length) return json;
            var ascii = new StringBuilder(json.Length * 2);
            foreach (char each in json)
            {
                if (each < 128) ascii.Append(each);
                else AppendEscape(ascii, each);
            }
            return ascii.ToString();
        }

        private static void AppendQuoted(StringBuilder json, string text)
        {
            json.Append('"');
            int kept = 0;
            for (int at = 0; at < text.Length; at += 1)
            {
                char each = text[at];
                bool isPair = char.IsHighSurrogate(each) && at + 1 < text.Length && char.IsLowSurrogate(text[at + 1]);
                if (isPair) at += 1;
                else if (each < ' ' || each == '"' || each == '\\' || char.IsSurrogate(each))
                {
                    json.Append(text, kept, at - kept);
                    if (each == '"' || each == '\\') json.Append('\\').Append(each);
                    else AppendEscape(json, each);
                    kept = at + 1;
                }
            }
            json.Append(text, kept, text.Length - kept).Append('"');
        }

        private static void AppendEscape(StringBuilder json, char each)
        {
            json.Append("\\u").Append(((int)each).ToString("x4", CultureInfo.InvariantCulture));
        }
    }

    /// <summary>CRC-32 (RFC 1952) of the UTF-8 bytes of a text, as 8 hex digits.</summary>
    internal static class Crc32
    {
        private static readonly uint[] Table = MakeTable();

        public static string Hex(string text)
        {
            return Hex(text, out long bytes);
        }

        /// <param name="text">Half a surrogate pair counts as U+FFFD.</param>
        /// <param name="bytes">How many there are.</param>
        public static string Hex(string text, out long bytes)
        {
            uint crc = uint.MaxValue;
            bytes = 0;
            for (int at = 0; at < text.Length; at += 1)
            {
                int code = text[at];
                if (code < 0x80)
                {
                    crc = Table[(crc ^ code) & 0xFF] ^ (crc >> 8);
                    bytes += 1;
                    continue;
                }
                bool isPair = char.IsHighSurrogate(text[at]) && at + 1 < text.Length && char.IsLowSurrogate(text[at + 1]);
                if (isPair) code = char.ConvertToUtf32(text[at], text[++at]);
                else if (char.IsSurrogate(text[at])) code = 0xFFFD;
                int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
                int lead = (0xF0 << (3 - more)) & 0xFF | (code >> (6 * more));
                crc = Table[(crc ^ lead) & 0xFF] ^ (crc >> 8);
                for (int left = more - 1; left >= 0; left -= 1)
                {
                    crc = Table[(crc ^ (0x80 | (code >> (6 * left)) & 0x3F)) & 0xFF] ^ (crc >> 8);
                }
                bytes += more + 1;
            }
            return (~crc).ToString("x8", CultureInfo.InvariantCulture);
        }

        private static uint[] MakeTable()
        {
            var table = new uint[256];
            for (uint at = 0; at < 256; at += 1)
            {
                uint value = at;
                for (int bit = 0; bit < 8; bit += 1) value = (value & 1) == 0 ? value >> 1 : 0xEDB88320u ^ (value >> 1);
                table[at] = value;
            }
            return table;
        }
    }

    /// <summary>FNV-1a (64 bits) of the characters of a text, as 16 hex digits.</summary>
    internal static class Fnv1a
    {
        public static string Hex(string text)
        {
            ulong hash = 14695981039346656037UL;
            foreach (char each in text) hash = unchecked((hash ^ each) * 1099511628211UL);
            return hash.ToString("x16", CultureInfo.InvariantCulture);
        }
    }

    /// <summary>The device's clock.</summary>
    public sealed class SystemClock : IClock
    {
        private static readonly DateTime Epoch = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        private readonly Stopwatch _stopwatch = Stopwatch.StartNew();

        /// <inheritdoc/>
        public long UtcMilliseconds
        {
            get { return (DateTime.UtcNow - Epoch).Ticks / TimeSpan.TicksPerMillisecond; }
        }

        /// <inheritdoc/>
        public long Milliseconds
        {
            get { return _stopwatch.ElapsedMilliseconds; }
        }
    }

    /// <summary>Files in a folder, one an item. A file is replaced whole: it is written under another name, then renamed.</summary>
    public sealed class FileStorage : IStorage
    {
        private static readonly UTF8Encoding Utf8 = new UTF8Encoding(false);
        private readonly string _folder;

        /// <param name="folder">Is made with the first item.</param>
        public FileStorage(string folder)
        {
            _folder = folder;
        }

        /// <summary>
        /// In Unity a folder in <c>Application.persistentDataPath</c> (in the browser: IndexedDB); elsewhere a folder with the
        /// name of the program in the user's local application data.
        /// </summary>
        public static FileStorage OfThisGame()
        {
#if UNITY_5_3_OR_NEWER
            return new FileStorage(Path.Combine(UnityEngine.Application.persistentDataPath, "loadout"));
#else
            string local = Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData);
            string program = Path.GetFileNameWithoutExtension(AppDomain.CurrentDomain.FriendlyName);
            return new FileStorage(Path.Combine(local, program, "loadout"));
#endif
        }

        /// <inheritdoc/>
        public string GetItem(string name)
        {
            string path = Path.Combine(_folder, name);
            return File.Exists(path) ? File.ReadAllText(path, Utf8) : null;
        }

        /// <inheritdoc/>
        public void SetItem(string name, string text)
        {
            string path = Path.Combine(_folder, name);
            byte[] bytes = Utf8.GetBytes(text);
            Directory.CreateDirectory(_folder);
#if UNITY_WEBGL && !UNITY_EDITOR
            // Files are in memory there, so none is written by half.
            File.WriteAllBytes(path, bytes);
#else
            string partial = path + ".partial";
            using (var file = new FileStream(partial, FileMode.Create, FileAccess.Write))
            {
                file.Write(bytes, 0, bytes.Length);
                file.Flush(true);
            }
            if (File.Exists(path)) File.Replace(partial, path, null);
            else File.Move(partial, path);
#endif
            Sync();
        }

        /// <inheritdoc/>
        public void RemoveItem(string name)
        {
            File.Delete(Path.Combine(_folder, name));
            Sync();
        }

        /// <summary>In the browser files are in memory until Unity writes them to IndexedDB, as it does for its preferences.</summary>
        private static void Sync()
        {
#if UNITY_WEBGL && !UNITY_EDITOR
            UnityEngine.PlayerPrefs.Save();
#endif
        }
    }

    /// <summary>Which transport the platform has.</summary>
    internal static class DefaultTransport
    {
        public static ITransport Create()
        {
#if UNITY_5_3_OR_NEWER
            return new UnityTransport();
#else
            return new HttpClientTransport();
#endif
        }
    }

#if !UNITY_5_3_OR_NEWER
    /// <summary>Requests by <see cref="HttpClient"/>.</summary>
    public sealed class HttpClientTransport : ITransport
    {
        private readonly HttpClient _client;

        /// <summary>With a connection pool of its own.</summary>
        public HttpClientTransport()
        {
            var handler = new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false };
            // The stream, a refresh, events and receipts; some runtimes allow two by themselves.
            handler.MaxConnectionsPerServer = 4;
            if (handler.SupportsAutomaticDecompression) handler.AutomaticDecompression = DecompressionMethods.GZip;
            // The client ends requests by its own clock.
            _client = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
            _client.DefaultRequestHeaders.ExpectContinue = false;
        }

        /// <inheritdoc/>
        public bool CanStream
        {
            get { return true; }
        }

        /// <inheritdoc/>
        public ITransportCall Send(TransportRequest request, ITransportSink sink)
        {
            var call = new HttpClientCall(_client, sink);
            call.Begin(request);
            return call;
        }
    }

    /// <summary>A request by <see cref="HttpClient"/>.</summary>
    internal sealed class HttpClientCall : ITransportCall
    {
        private readonly HttpClient _client;
        private readonly ITransportSink _sink;
        private readonly CancellationTokenSource _cancelled = new CancellationTokenSource();

        public HttpClientCall(HttpClient client, ITransportSink sink)
        {
            _client = client;
            _sink = sink;
        }

        public void Begin(TransportRequest request)
        {
            // Its end and its failures go to the sink. HttpClient may look up a proxy or a name before its first await.
            Task.Run(() => RunAsync(request));
        }

        public void Cancel()
        {
            _cancelled.Cancel();
        }

        private async Task RunAsync(TransportRequest request)
        {
            try
            {
                const HttpCompletionOption Head = HttpCompletionOption.ResponseHeadersRead;
                using (HttpRequestMessage message = MessageOf(request))
                using (HttpResponseMessage response = await _client.SendAsync(message, Head, _cancelled.Token).ConfigureAwait(false))
                using (_cancelled.Token.Register(response.Dispose))
                {
                    _sink.Head(HeadOf(response));
                    await ReadAsync(response.Content).ConfigureAwait(false);
                    _sink.End();
                }
            }
            catch (Exception error)
            {
                _sink.Error(error.Message);
            }
        }

        private static HttpRequestMessage MessageOf(TransportRequest request)
        {
            var message = new HttpRequestMessage(new HttpMethod(request.Method), request.Url);
            message.Content = new ByteArrayContent(request.Body);
            foreach (KeyValuePair<string, string> header in request.Headers)
            {
                if (!message.Headers.TryAddWithoutValidation(header.Key, header.Value))
                {
                    message.Content.Headers.TryAddWithoutValidation(header.Key, header.Value);
                }
            }
            return message;
        }

        private static ResponseHead HeadOf(HttpResponseMessage response)
        {
            string contentType = response.Content == null ? null : First(response.Content.Headers, "Content-Type");
            string retryAfter = First(response.Headers, "Retry-After");
            return new ResponseHead((int)response.StatusCode, contentType, retryAfter, First(response.Headers, "Date"));
        }

        private static string First(System.Net.Http.Headers.HttpHeaders headers, string name)
        {
            if (!headers.TryGetValues(name, out IEnumerable<string> values)) return null;
            foreach (string value in values) return value;
            return null;
        }

        private async Task ReadAsync(HttpContent content)
        {
            if (content == null) return;
            using (Stream body = await content.ReadAsStreamAsync().ConfigureAwait(false))
            {
                var buffer = new byte[16 * 1024];
                long left = content.Headers.ContentEncoding.Count == 0 ? content.Headers.ContentLength ?? 0 : 0;
                for (;;)
                {
                    int count = await body.ReadAsync(buffer, 0, buffer.Length, _cancelled.Token).ConfigureAwait(false);
                    if (count == 0) break;
                    left -= count;
                    _sink.Bytes(buffer, 0, count);
                }
                if (left > 0) throw new EndOfStreamException("The response was cut.");
            }
        }
    }
#endif

#if UNITY_5_3_OR_NEWER
    /// <summary>
    /// Requests by UnityWebRequest. In the browser a response comes at once, so there are polls in the place of streams.
    /// </summary>
    public sealed class UnityTransport : ITransport
    {
        /// <inheritdoc/>
        public bool CanStream
        {
#if UNITY_WEBGL && !UNITY_EDITOR
            get { return false; }
#else
            get { return true; }
#endif
        }

        /// <inheritdoc/>
        public ITransportCall Send(TransportRequest request, ITransportSink sink)
        {
            return new UnityCall(request, sink);
        }
    }

    /// <summary>A request by UnityWebRequest, which decompresses by itself.</summary>
    internal sealed class UnityCall : ITransportCall
    {
        private readonly UnityWebRequest _request;
        private readonly ITransportSink _sink;
        private bool _hasHead;
        private bool _isOver;

        public UnityCall(TransportRequest request, ITransportSink sink)
        {
            _sink = sink;
            _request = new UnityWebRequest(request.Url, request.Method);
            _request.uploadHandler = new UploadHandlerRaw(request.Body);
            _request.downloadHandler = new UnityBody(this);
            _request.redirectLimit = 0;
            foreach (KeyValuePair<string, string> header in request.Headers) _request.SetRequestHeader(header.Key, header.Value);
            _request.SendWebRequest().completed += OnCompleted;
        }

        public void Cancel()
        {
            if (_isOver) return;
            _isOver = true;
            _request.Abort();
            _request.Dispose();
        }

        public void TakeBytes(byte[] data, int count)
        {
            if (_isOver) return;
            TakeHead();
            _sink.Bytes(data, 0, count);
        }

        private void TakeHead()
        {
            if (_hasHead) return;
            _hasHead = true;
            _sink.Head(new ResponseHead(
                (int)_request.responseCode,
                _request.GetResponseHeader("Content-Type"),
                _request.GetResponseHeader("Retry-After"),
                _request.GetResponseHeader("Date")));
        }

        private void OnCompleted(UnityEngine.AsyncOperation operation)
        {
            if (_isOver) return;
            _isOver = true;
            bool isRedirect = _request.responseCode >= 300 && _request.responseCode < 400;
            if (HasFailed && !isRedirect)
            {
                _sink.Error(_request.error);
            }
            else
            {
                TakeHead();
                _sink.End();
            }
            _request.Dispose();
        }

        private bool HasFailed
        {
            get
            {
#if UNITY_2020_2_OR_NEWER
                UnityWebRequest.Result result = _request.result;
                return result == UnityWebRequest.Result.ConnectionError || result == UnityWebRequest.Result.DataProcessingError;
#else
                return _request.isNetworkError;
#endif
            }
        }
    }

    /// <summary>The body of a response, as it comes.</summary>
    internal sealed class UnityBody : DownloadHandlerScript
    {
        private const int BufferBytes = 16 * 1024;
        private readonly UnityCall _call;

        public UnityBody(UnityCall call)
            : base(new byte[BufferBytes])
        {
            _call = call;
        }

        protected override bool ReceiveData(byte[] data, int dataLength)
        {
            _call.TakeBytes(data, dataLength);
            return true;
        }
    }
#endif
}
